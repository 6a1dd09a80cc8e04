"""Character sets: how often the right text comes out, over a corpus made here.

`python bench/charset.py` takes texts in many languages, encodes each in the encodings its readers used, says so by
header, by `<meta>`, by byte order mark or not at all, and compares what `gofer.fetch.charset` reads with the text.
"""

import codecs
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from gofer.fetch.charset import decode

TEXTS = {
    "polish": "Wczesnym rankiem rybacy wyszli na plażę i zobaczyli, że morze cofnęło się daleko za skały. Źródło tej "
    "ciszy było nieznane. Mężczyźni pytali się nawzajem, skąd wzięła się mgła, a dzieci biegały po mokrym piasku, "
    "zbierając muszle i bursztyny. Dopiero wieczorem woda wróciła, łagodnie i bez dźwięku, jakby nic się nie stało.",
    "czech": "Na náměstí stojí kašna, kterou postavili před třemi sty lety. Říká se, že kdo z ní pije o půlnoci, "
    "uslyší řeč zvířat. Můj dědeček tomu věřil a každý rok tam chodil, ačkoli nikdy nic neslyšel. Přesto se vždy "
    "vracel domů spokojený a vyprávěl nám příběhy, které si cestou vymyslel.",
    "hungarian": "A régi malom kereke már évek óta nem forgott, mégis minden őszön összegyűltek ott a szomszédok. "
    "Főztek, énekeltek, és a gyerekek a fűzfák között bújócskáztak. Az öreg molnár azt mondta, hogy a víz emlékszik "
    "mindenre, és egyszer újra megindítja a követ, ha eljön az ideje.",
    "russian": "Старый маяк стоял на краю посёлка, и каждый вечер смотритель поднимался по узкой лестнице, чтобы "
    "зажечь лампу. Корабли давно уже ходили другим путём, но свет был нужен людям на берегу: по нему они узнавали, "
    "что день закончился и можно возвращаться домой. Так продолжалось много лет.",
    "ukrainian": "Біля річки росла стара верба, під якою дівчата ворожили навесні. Її коріння сягало аж до води, а "
    "гілля схилялося так низько, що влітку діти ховалися під ним від дощу. Коли їхній учитель приїхав із міста, він "
    "зрозумів, чому ці люди так люблять своє село і ніколи його не залишають.",
    "german": "Als die Brücke über den Fluß gebaut wurde, fürchteten die Fährleute um ihr Brot. Doch die Gäste kamen "
    "weiterhin, denn vom Boot aus sah man die Türme der Altstadt am schönsten. Später gründeten sie einen Verein, "
    "der bis heute jeden Frühling ein großes Fest für alle Bürger ausrichtet.",
    "french": "À la fin de l'été, les élèves retrouvaient l'école où rien n'avait changé : la même cloche fêlée, le "
    "même préau, et la maîtresse qui répétait que l'année serait décisive. Personne n'y croyait tout à fait, mais "
    "chacun espérait en secret qu'elle eût raison, ne fût-ce qu'une fois.",
    "greek": "Το μικρό καφενείο άνοιγε πριν από την ανατολή του ήλιου, για να προλάβουν οι ψαράδες να πιουν τον καφέ "
    "τους. Ο ιδιοκτήτης γνώριζε όλα τα νέα του νησιού και τα έλεγε με τη σειρά, όπως ένας δάσκαλος που διαβάζει από "
    "παλιό βιβλίο. Κανείς δεν τον διέκοπτε ποτέ.",
    "turkish": "Köyün girişindeki çeşme, yüz yıl önce bir gezgin tarafından yaptırılmıştı. Yazın en sıcak günlerinde "
    "bile suyu buz gibi akardı. Çocuklar okuldan dönerken burada durur, yüzlerini yıkar ve yaşlıların anlattığı "
    "masalları dinlerdi. Şimdi o çeşmenin yanında küçük bir kütüphane yükseliyor.",
    "hebrew": "בכל בוקר יצא האיש הזקן אל הגן והשקה את העצים ששתל אביו לפני שנים רבות. הוא דיבר אליהם כאילו היו בני "
    "משפחה, וסיפר להם על מזג האוויר ועל מחירי הפירות בשוק. השכנים צחקו תחילה, אבל בסוף הקיץ כולם באו לטעום מן התאנים "
    "המתוקות שלו.",
    "arabic": "كان التاجر يعبر الصحراء مرتين في السنة ومعه خمسة جمال محملة بالتمر والقماش. وفي كل رحلة كان يكتب في "
    "دفتر صغير أسماء النجوم التي دلته على الطريق. وعندما كبر أعطى الدفتر لابنته وقال لها إن الخرائط كلها تبدأ "
    "بالنظر إلى السماء.",
    "lithuanian": "Prie ežero kranto stovėjo sena žvejo trobelė, kurios langai žiūrėjo į vakarus. Kiekvieną rudenį "
    "čia sustodavo paukščiai, skrendantys į šiltuosius kraštus, ir šeimininkas jiems palikdavo grūdų. Jis sakydavo, "
    "kad svečių nereikia klausti, iš kur jie atvyko, užtenka juos pavaišinti.",
    "latvian": "Mežsarga māja atradās pašā meža vidū, un ziemā līdz tai varēja nokļūt tikai ar slēpēm. Viņš pazina "
    "katru koku un katru taku, bet visvairāk mīlēja veco ozolu, zem kura bērnībā bija atradis ievainotu stārķi. "
    "Šodien tur aug jauns ozols, ko iestādījuši skolēni no tuvākās pilsētas.",
    "thai": "หมู่บ้านเล็ก ๆ แห่งนี้ตั้งอยู่ริมแม่น้ำสายใหญ่ ทุกเช้าชาวบ้านจะพายเรือออกไปขายผักและผลไม้ที่ตลาดน้ำ เด็ก ๆ เดินไปโรงเรียนผ่านสะพานไม้"
    "เก่าที่ปู่ย่าตายายสร้างไว้ เมื่อถึงฤดูฝนน้ำจะท่วมสูง แต่ทุกคนช่วยเหลือกันและไม่เคยมีใครคิดจะย้ายไปอยู่ที่อื่น",
    "japanese": "港の近くに小さな時計屋がありました。店主は毎朝シャッターを開けると、まず古い柱時計のねじを巻きます。"
    "その時計は百年前に船で運ばれてきたもので、一日に三分だけ遅れるのです。「急がない時計も必要だ」と彼は笑って言い、"
    "どうしても直そうとはしませんでした。町の人々はその音を聞いて一日を始めます。",
    "chinese": "山脚下有一座古老的书院，门前的石阶已经被雨水磨得发亮。每年春天，附近的学生都会来这里听老先生讲历史。"
    "他说话很慢，却从来不看讲稿，因为那些故事早已记在心里。下课以后，大家一起打扫院子，再把新摘的茶叶分给邻居。"
    "这样的日子虽然平淡，但是没有人愿意离开。",
    "taiwanese": "巷口的麵店開了四十年，老闆每天清晨五點就開始熬湯。熟客不必點餐，只要坐下來，熱湯麵就會送到面前。"
    "後來他的女兒從國外回來，把菜單翻譯成三種語言，還在牆上掛了許多舊照片。遊客愈來愈多，但是湯頭的味道始終沒有改變。",
    "korean": "언덕 위의 작은 도서관은 마을 사람들이 직접 지은 것입니다. 겨울이면 아이들은 난로 옆에 모여 앉아 "
    "할머니가 읽어 주는 옛날이야기를 들었습니다. 책은 많지 않았지만 모두가 같은 책을 여러 번 읽었기 때문에, 서로의 "
    "마음을 누구보다 잘 알고 있었습니다. 지금도 그 불빛은 꺼지지 않습니다.",
    "spanish": "El viejo faro seguía encendido cuando llegó la mañana. La niña preguntó por qué nadie apagaba la "
    "luz, y su abuelo respondió que los barcos también sueñan de día.",
    "portuguese": "A avó fazia pão todas as manhãs e a vizinhança inteira acordava com o cheiro. Não havia relógio "
    "na aldeia; o coração da manhã era aquele forno.",
    "danish": "Om vinteren gik børnene på skøjter på søen, mens de ældre fortalte historier om havfruer. Ingen "
    "troede på dem, men alle lyttede til den sidste kop kakao blev drukket på molen i år.",
    "swedish": "På ön bodde en gammal fyrvaktare som räknade båtarna varje kväll. När någon saknades tände han två "
    "lampor och väntade tills gryningen färgade havet rött.",
    "romanian": "În fiecare dimineaţă bătrânul pescar îşi repara plasele şi povestea despre furtuni. Copiii îl "
    "ascultau cu gura căscată, iar pisica dormea lângă barcă fără să-i pese.",
    "croatian": "Stara žena prodavala je smokve na trgu i svakome pričala o moru. Djeca su čekala da završi priču, "
    "jer je uvijek na kraju dijelila šećer i blagoslov za dug život, kućni ljubimci također.",
    "bulgarian": "Старият мост скърцаше при всяка стъпка, но хората от селото го обичаха. Под него реката шумеше и "
    "разказваше истории за времето, когато търговците минавали оттук.",
    "serbian": "Стари мост је шкрипао при сваком кораку, али су га мештани волели. Испод њега река је шумела и "
    "причала приче о времену када су трговци туда пролазили.",
    "estonian": "Vana õunapuu õitses igal kevadel, kuigi keegi ei mäletanud, kes selle istutas. Lapsed mängisid "
    "selle all ja küla öövaht käis sealt õhtuti üle vaatamas.",
    "finnish": "Vanha mylly seisoi joen rannalla, ja kesäisin lapset kävivät siellä uimassa. Myllärin äiti leipoi "
    "pullaa ja kertoi tarinoita järven henkiolennoista yön pimetessä.",
    "slovak": "Na kopci stál starý mlyn, ktorý už dávno nemlel múku. Každú jeseň sa tam stretávali ľudia z dediny, "
    "piekli jablká a spievali piesne, čo poznali ešte ich prastarí rodičia. Ďaleko žiarila hviezda.",
    "italian": "Ogni sera il farmacista chiudeva bottega e andava al molo, perché lì c'era più fresco. La città "
    "taceva già, però lui contava le barche: così sarà finché vivrà.",
    "english": "The café’s owner kept a naïve painting above the counter — a harbour, two boats, a sky far too blue. "
    "“It cost me £40,” she would say, “and I’d pay it twice.” Travellers asked about the painter, but nobody "
    "remembered more than his first name; the rest had been lost with the old visitors’ book.",
}

ENCODINGS = {
    "windows-1250": ["polish", "czech", "hungarian", "romanian", "croatian", "slovak"],
    "iso-8859-2": ["polish", "czech", "croatian"],
    "windows-1251": ["russian", "ukrainian", "bulgarian", "serbian"],
    "koi8-r": ["russian"],
    "koi8-u": ["ukrainian"],
    "iso-8859-5": ["russian", "serbian"],
    "ibm866": ["russian"],
    "windows-1252": [
        "german",
        "french",
        "english",
        "spanish",
        "portuguese",
        "danish",
        "swedish",
        "finnish",
        "italian",
    ],
    "iso-8859-1": ["german"],
    "iso-8859-15": ["french", "finnish"],
    "windows-1253": ["greek"],
    "iso-8859-7": ["greek"],
    "windows-1254": ["turkish"],
    "windows-1255": ["hebrew"],
    "windows-1256": ["arabic"],
    "iso-8859-6": ["arabic"],
    "windows-1257": ["lithuanian", "latvian", "estonian"],
    "macintosh": ["german", "french"],
    "windows-874": ["thai"],
    "shift_jis": ["japanese"],
    "euc-jp": ["japanese"],
    "iso-2022-jp": ["japanese"],
    "gbk": ["chinese"],
    "gb18030": ["chinese", "taiwanese"],
    "big5": ["taiwanese"],
    "euc-kr": ["korean"],
    "utf-8": ["english", "japanese", "russian", "thai"],
    "utf-16le": ["english", "chinese", "greek"],
    "utf-16be": ["english", "korean", "hebrew"],
}
MARKS = {"utf-8": codecs.BOM_UTF8, "utf-16le": codecs.BOM_UTF16_LE, "utf-16be": codecs.BOM_UTF16_BE}
PYTHON_NAMES = {"macintosh": "mac_roman", "windows-874": "cp874", "ibm866": "cp866"}


class Case(NamedTuple):
    """One file: the bytes, the header's charset, and the text that is meant."""

    encoding: str
    language: str
    told_by: str
    body: bytes
    http_charset: str
    text: str


def corpus() -> Iterator[Case]:
    """Every text in each of its encodings, told in each way."""
    for encoding, languages in ENCODINGS.items():
        codec = PYTHON_NAMES.get(encoding, encoding)
        for language in languages:
            for told_by in ("header", "meta", "mark", "none"):
                if told_by == "mark" and encoding not in MARKS:
                    continue
                meta = f'<meta name="viewport" content="x">\n<meta charset="{encoding}">' if told_by == "meta" else ""
                text = (
                    f"<!doctype html>\n<html><head>{meta}<title>A page</title></head>\n"
                    f"<body><h1>{language}</h1>\n<p>{TEXTS[language]}</p>\n</body></html>\n"
                )
                body = text.encode(codec)
                mark = MARKS[encoding] if told_by == "mark" else b""
                yield Case(encoding, language, told_by, mark + body, encoding if told_by == "header" else "", text)


def main() -> int:
    """Print the share of right texts and each wrong one; exit 1 below .98."""
    right: Counter[str] = Counter()
    total: Counter[str] = Counter()
    wrong: defaultdict[str, list[str]] = defaultdict(list)
    started = time.perf_counter()
    for case in corpus():
        total[case.told_by] += 1
        decoded = decode(case.body, case.http_charset)
        if decoded.text == case.text:
            right[case.told_by] += 1
        else:
            wrong[case.told_by].append(f"{case.language} in {case.encoding} read as {decoded.encoding}")
    elapsed_s = time.perf_counter() - started
    for told_by, count in total.items():
        print(f"{told_by:7} {right[told_by]:3} of {count:3}  {'; '.join(wrong[told_by])}")
    share = right.total() / total.total()
    print(f"all     {right.total():3} of {total.total():3}  {share:.3f} right")
    print(f"{len(ENCODINGS)} encodings, {elapsed_s:.2f} s")
    return 0 if share >= 0.98 else 1


if __name__ == "__main__":
    sys.exit(main())
