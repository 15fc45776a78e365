import TerminalText

/// The names of languages, as data.
enum LanguageTable {
  struct Entry: Sendable {
    var tag: LanguageTag
    /// Whether the name is rarely something else.
    var isCertain: Bool
  }

  /// Two-letter codes that nearly always mean a language in the names of game files.
  private static let certainCodes = """
    de en es fi fr hu ja ko nb nl pl pt ru sv uk zh
    """

  /// The other two-letter codes, which are often words or abbreviations.
  ///
  /// `bg` is a background, `lv` a level, and `vo` a voice over. `ne`, `se` and `sw` are directions,
  /// `tl` and `tr` are corners.
  private static let otherCodes = """
    aa ab ae af ak am an ar as av ay az ba be bg bi bm bn bo br bs ca ce ch co cr cs cu cv cy da \
    dv dz ee el eo et eu fa ff fj fo fy ga gd gl gn gu gv ha he hi ho hr ht hy hz ia id ie ig ii \
    ik io is it iu jv ka kg ki kj kk kl km kn ks ku kv kw ky la lb lg li ln lo lt lu lv mg mh mi \
    mk ml mn mr ms mt my na nd ne ng nn no nr nv ny oc oj om or os pa pi ps qu rm rn ro rw sa sc \
    sd se sg si sk sl sm sn so sq sr ss st su sw ta te tg th ti tk tn to tr ts tt ty ug ur uz ve \
    vi vo wa wo xh yi yo za zu
    """

  /// Former codes, codes of countries that are used alone, and the codes that replace them.
  private static let replacedCodes = """
    in=id iw=he ji=yi jw=jv mo=ro jp=ja kr=ko cn=zh-Hans tw=zh-Hant cz=cs ua=uk gr=el dk=da \
    us=en-US gb=en-GB vn=vi mx=es-MX tl=fil
    """

  /// Three-letter codes that nearly always mean a language, with the codes that replace them.
  private static let certainLongCodes = """
    ces=cs chs=zh-Hans cht=zh-Hant cze=cs deu=de fra=fr fre=fr ger=de hun=hu ita=it jpn=ja \
    kor=ko nld=nl ptb=pt-BR rus=ru swe=sv ukr=uk zho=zh
    """

  /// Other three-letter codes, which are often words: `cat`, `run`, `geo`.
  private static let otherLongCodes = """
    ace=ace afr=af alb=sq amh=am ang=ang ara=ar arg=an arm=hy arz=arz asm=as ast=ast aze=az \
    bak=ba baq=eu bar=bar bel=be ben=bn bos=bs bre=br brx=brx bul=bg bur=my cat=ca ceb=ceb \
    chi=zh chr=chr ckb=ckb cmn=cmn cor=kw cos=co crh=crh csb=csb cym=cy dan=da dsb=dsb dut=nl \
    ell=el eng=en enm=enm enu=en-US epo=eo esp=es est=et eus=eu fao=fo fas=fa fil=fil fin=fi \
    frp=frp fry=fy ful=ff fur=fur geo=ka gla=gd gle=ga glg=gl gre=el grn=gn gsw=gsw guj=gu \
    hat=ht hau=ha haw=haw heb=he hin=hi hrv=hr hsb=hsb hye=hy ibo=ig ice=is ido=io ile=ie \
    ilo=ilo ina=ia ind=id isl=is jap=ja jav=jv jbo=jbo kab=kab kan=kn kat=ka kaz=kk khm=km \
    kir=ky kok=kok kur=ku lao=lo lat=la lav=lv lij=lij lit=lt ltg=ltg ltz=lb lug=lg mac=mk \
    mai=mai mal=ml mao=mi mar=mr may=ms mkd=mk mlg=mg mlt=mt mni=mni mon=mn mri=mi msa=ms mya=my \
    nap=nap nds=nds nep=ne nno=nn nob=nb nor=no oci=oc ori=or oss=os pan=pa pap=pap per=fa \
    pms=pms pol=pl por=pt pus=ps que=qu roh=rm ron=ro rum=ro run=rn sah=sah san=sa sat=sat \
    scn=scn sco=sco sin=si slk=sk slo=sk slv=sl sma=sma sna=sn snd=sd som=so spa=es sqi=sq \
    srd=sc srp=sr sun=su swa=sw szl=szl tam=ta tat=tt tel=te tgk=tg tgl=fil tha=th tib=bo tir=ti \
    tlh=tlh tok=tok tuk=tk tur=tr tzm=tzm uig=ug urd=ur uzb=uz vec=vec vie=vi wel=cy wln=wa \
    wol=wo xho=xh yid=yi yor=yo yue=yue zgh=zgh zul=zu
    """

  /// Names without separators, after their tag; `?` marks a name that is often something else.
  private static let spelledNames = """
    af: afrikaans
    ar: arabic arabe العربية عربي عربى
    ast: asturian asturianu
    az: azerbaijani azeri
    be: belarusian беларуская
    bg: bulgarian български българскии
    bn: bengali bangla বাংলা
    bs: bosnian bosanski
    ca: catalan català catala
    cs: czech cesky český cestina čeština
    cy: welsh cymraeg
    da: danish dansk
    de: german deutsch germangermany germande
    de-AT: germanaustria austriangerman
    de-CH: germanswitzerland swissgerman
    el: ?greek ελληνικά ελληνικα
    en: english
    en-US: englishus englishusa englishunitedstates americanenglish englishamerican
    en-GB: englishuk englishgb englishunitedkingdom britishenglish englishbritish
    en-AU: englishaustralia australianenglish
    en-CA: englishcanada canadianenglish
    en-IN: englishindia indianenglish
    eo: esperanto
    es: spanish español espanol castellano spanishspain spanisheurope europeanspanish spanisheu
    es-419: latam spanishlatam latinamerican latinamericanspanish spanishlatinamerica
    es-419: spanishlatinamerican spanishla spanishlatin latinspanish españollatinoamérica
    es-MX: spanishmexico spanishmx mexicanspanish spanishmexican
    et: estonian eesti
    eu: ?basque euskara
    fa: ?persian farsi فارسی
    fi: finnish suomi
    fil: filipino tagalog
    fr: french français francais frenchfrance
    fr-CA: frenchcanada frenchca canadianfrench frenchcanadian
    fy: frisian
    ga: ?irish gaeilge
    gl: galician galego
    gu: gujarati
    haw: ?hawaiian
    he: hebrew עברית
    hi: hindi हिन्दी हिंदी
    hr: croatian hrvatski
    hu: hungarian magyar
    hy: ?armenian հայերեն
    id: indonesian bahasaindonesia
    is: icelandic íslenska islenska
    it: italian italiano italianitaly
    ja: japanese 日本語 日本语 nihongo japanesejapan
    ka: ?georgian ქართული
    kk: kazakh қазақша
    km: khmer
    kn: kannada
    ko: korean koreana 한국어 한국어 koreankorea
    ku: kurdish kurdî kurdi
    la: ?latin
    lb: luxembourgish
    lt: lithuanian lietuvių lietuviu
    lv: latvian latviešu latviesu
    mi: ?maori
    mk: macedonian македонски
    ml: malayalam
    mn: ?mongolian монгол
    mr: marathi
    ms: malay bahasamelayu
    mt: maltese
    nb: norwegian norsk bokmål bokmal norwegianbokmal norwegianbokmål norskbokmål
    nl: dutch nederlands flemish
    nn: nynorsk norwegiannynorsk norsknynorsk
    oc: occitan
    pa: punjabi
    pl: ?polish polski polskie
    pt: portuguese português portugues
    pt-BR: brazilian brazilianportuguese portuguesebrazil portuguesebrazilian portuguesebr
    pt-BR: portuguêsbrasil portuguesbrasil portuguêsdobrasil brasileiro ptbr
    pt-PT: portugueseportugal europeanportuguese portugueseeurope portuguesept portugueseeuropean
    ro: romanian română romana
    ru: russian русский русскии russkij
    sk: slovak slovenčina slovencina slovensky
    sl: slovenian slovenščina slovenscina slovene
    sq: albanian shqip
    sr: serbian српски srpski
    sr-Latn: serbianlatin
    sv: swedish svenska
    sw: swahili kiswahili
    ta: tamil தமிழ்
    te: telugu
    th: ?thai ไทย ภาษาไทย
    tr: turkish türkçe turkce
    uk: ukrainian українська украінська
    ur: urdu اردو
    uz: uzbek
    vi: vietnamese tiếngviệt tiengviet
    zh: chinese 中文 mandarin
    zh-Hans: chinesesimplified simplifiedchinese schinese chinesesimp simpchinese chineses
    zh-Hans: chinesechina chineseprc chinesecn 简体中文 中文简体 中文（简体） 简体
    zh-Hant: chinesetraditional traditionalchinese tchinese chinesetrad tradchinese chineset
    zh-Hant: chinesetaiwan chinesetw 繁體中文 繁体中文 中文繁體 中文（繁體） 繁體
    zh-Hant-HK: chinesehongkong chinesehk
    """

  /// Tags whose usual spelling is another: the region of Chinese only chooses the script.
  private static let usualSpellings = """
    zh-CN=zh-Hans zh-TW=zh-Hant zh-Hans-CN=zh-Hans zh-Hant-TW=zh-Hant zh-SG=zh-Hans-SG \
    zh-HK=zh-Hant-HK zh-MO=zh-Hant-MO en-UK=en-GB es-LA=es-419 sr-YU=sr sr-CS=sr
    """

  /// Tags that are usual in lower case too: `en_au`; most other pairs of words are not languages.
  private static let usualPairs = """
    en-GB en-AU en-CA en-NZ en-IE en-ZA es-MX es-AR es-CL es-CO es-US es-419 pt-PT fr-CA fr-BE \
    fr-CH de-AT de-CH nl-BE it-CH ar-SA ar-AE
    """

  /// Scripts that names of languages contain.
  static let scripts = [
    "latn": "Latn", "cyrl": "Cyrl", "arab": "Arab", "hans": "Hans", "hant": "Hant", "deva": "Deva",
    "guru": "Guru", "beng": "Beng", "jpan": "Jpan", "kore": "Kore", "mong": "Mong", "tfng": "Tfng",
  ]

  /// Modifiers of POSIX locales for scripts.
  static let modifiers = [
    "latin": "Latn", "latn": "Latn", "cyrillic": "Cyrl", "cyrl": "Cyrl", "arabic": "Arab",
    "devanagari": "Deva",
  ]

  /// The starts of encodings in POSIX locales.
  static let encodings = [
    "utf-8", "utf8", "iso-8859", "iso8859", "euc", "big5", "gb2", "gbk", "gb18030", "koi8", "cp1",
  ]

  /// No name is longer: `chinese (traditional, hong kong)`.
  static let longestName = 64

  static let codes: [Int: Entry] = {
    var codes: [Int: Entry] = [:]
    func add(_ text: String, isCertain: Bool) {
      for word in text.split(separator: " ") {
        let sides = word.split(separator: "=")
        guard let code = sides.first, let tag = sides.last.flatMap({ LanguageTag(String($0)) })
        else { continue }
        codes[code.utf8.reduce(0) { $0 << 8 | Int($1) }] = Entry(tag: tag, isCertain: isCertain)
      }
    }
    add(certainCodes, isCertain: true)
    add(otherCodes, isCertain: false)
    add(replacedCodes, isCertain: false)
    add(certainLongCodes, isCertain: true)
    add(otherLongCodes, isCertain: false)
    return codes
  }()

  static let names: [[UInt8]: Entry] = {
    var names: [[UInt8]: Entry] = [:]
    for line in spelledNames.split(separator: "\n") {
      let words = line.split(separator: " ")
      guard let tag = words.first.flatMap({ LanguageTag(String($0.dropLast())) }) else { continue }
      for word in words.dropFirst() {
        let isCertain = word.first != "?"
        let name = String(isCertain ? word : word.dropFirst())
        // Keys are in lower case only where they are ASCII.
        for spelling in [name, name.prefix(1).uppercased() + name.dropFirst(), name.uppercased()] {
          let key = spelling.utf8.map(\.lowercased)
          names[key] = Entry(tag: tag, isCertain: isCertain)
        }
      }
    }
    return names
  }()

  /// A bit for each pair of first bytes of ``names``.
  private static let starts: [UInt64] = {
    var bits = [UInt64](repeating: 0, count: 1 << 10)
    for name in names.keys {
      let pair = Int(name[0]) << 8 | Int(name[1])
      bits[pair >> 6] |= 1 << UInt64(pair & 63)
    }
    return bits
  }()

  /// Returns whether a name may start with those of ``names``.
  static func canStart(_ name: ArraySlice<UInt8>) -> Bool {
    let pair =
      Int(name[name.startIndex].lowercased) << 8 | Int(name[name.startIndex + 1].lowercased)
    return starts[pair >> 6] & 1 << UInt64(pair & 63) != 0
  }

  static let usualTags: [Substring: LanguageTag] = {
    var tags: [Substring: LanguageTag] = [:]
    for pair in usualSpellings.split(separator: " ") {
      let sides = pair.split(separator: "=")
      tags[sides[0]] = sides.last.flatMap { LanguageTag(String($0)) }
    }
    return tags
  }()

  static let usualRegions = Set(usualPairs.split(separator: " "))
}
