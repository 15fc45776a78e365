// Made by .ci/language-tables from Debian's package unicode-cldr-core 41
// (https://cldr.unicode.org, Unicode License): codes alone, no names.

extension LikelySubtags {
  /// The usual script and region, followed by the 1,354 languages with this script and region.
  static let ofLanguages = """
    Aghb-RU udi; Ahom-IN aho; Arab-AF haz ps; Arab-CM fub; Arab-CN ug; Arab-DZ arq; Arab-EG ar\
     arz; Arab-IN dcc; Arab-IQ ckb; Arab-IR bqi fa gbz glk lki lrc luz mzn prd rmt sdh; Arab-K\
    H cja; Arab-KM wni zdj; Arab-MA ary; Arab-NE kby; Arab-PK bal bft bgn brh gjk gju hnd hno \
    khw kvx kxp lah mvy sd skr trw; Arab-SA ars; Arab-SD bej fia; Arab-TG apd; Arab-TH mfa; Ar\
    ab-TN aeb; Arab-YT swb; Arab-ZZ apc avl dgl gwc gwt kzh mde mki oru ota phl scl shu; Aran-\
    IN ks; Aran-PK ur; Armi-IR arc; Armn-AM hy; Avst-IR ae; Bamu-CM bax; Bass-LR bsq; Beng-BD \
    bn rkt syl; Beng-IN as bpy grt mni unr unx; Brah-IN pka; Cakm-BD ccp; Cans-CA cr crk crl c\
    sw iu nsk oj ojs; Cari-TR xcr; Cham-VN cjm; Cher-US chr; Chrs-UZ xco; Copt-EG cop; Cprt-CY\
     grc; Cyrl-BG bg; Cyrl-BY be; Cyrl-GE ab os; Cyrl-KG ky; Cyrl-KZ kk; Cyrl-MK mk; Cyrl-MN m\
    n; Cyrl-RS sr; Cyrl-RU ady alt av ba bua ce chm cu cv dar inh kbd koi krc kum kv lbe lez m\
    df mrj myv ru sah tt tyv udm; Cyrl-TJ tg; Cyrl-UA crh rue uk; Cyrl-UZ kaa; Cyrl-ZZ abq; De\
    va-FJ hif; Deva-IN awa bfy bgc bhb bhi bho bjj bra brx doi gbm gon hi hne hoc hoj kfr kfy \
    khn kok kru kxl mag mai mr mtr mwr noe ppa raj sa sck srx swv wbr wtm xnr; Deva-NP bap dty\
     ggn gvr jml lif mgp mrd ne new rjs taj tdg tdh thl thq thr tkt tsf xsr; Deva-PK btv; Egyp\
    -EG egy; Ethi-ER byn tig; Ethi-ET am gez ti wal; Ethi-ZZ bcq bji bst drs gmv gof hdy kqy k\
    tb kxc mdx mym sgw; Geor-GE ka xmf; Gong-IN wsg; Gonm-IN esg; Goth-UA got; Grek-GR el pnt \
    tsd; Grek-TR bgx; Gujr-IN gu; Guru-IN pa; Hans-CN gan hak hsn lzh nan wuu zh; Hant-HK yue;\
     Hebr-IL he iw lad; Hebr-UA ji yi; Hluw-TR hlu; Hmnp-US hnj mww; Ital-IT ett; Jpan-JP ja; \
    Kali-MM eky; Kana-JP ryu; Kawi-ID kaw; Khar-PK pra; Khmr-KH km; Kits-CN zkt; Knda-IN kn tc\
    y; Kore-KR ko; Lana-TH nod; Laoo-LA kjg lo; Latn-001 eo ia io jbo vo; Latn-AL sq; Latn-AO \
    kmb umb; Latn-AT bar; Latn-AU wbp; Latn-AZ az tkr tly ttt; Latn-BA bs; Latn-BE vls wa; Lat\
    n-BF dyu mos; Latn-BI rn; Latn-BJ fon; Latn-BO aro ay; Latn-BR gub kgp pt xav yrl; Latn-CA\
     atj bla chp clc crg den dgr gwi hur kwk lil mic moe moh oka pdt pqm; Latn-CD kg ln lol lu\
     lua swc; Latn-CF sg; Latn-CH gsw rm rmo wae; Latn-CI bci bqv daf dnj kfo sef; Latn-CL arn\
    ; Latn-CM agq bas bbj bfd bkm bss bum byv dua ewo jgo ken kkj ksf maf mgo mua nmg nnh yav \
    ybb; Latn-CN nxq za; Latn-CO guc; Latn-CV kea; Latn-CW pap; Latn-CZ cs; Latn-DE de dsb frr\
     frs hsb ksh nds pfl stq swg vmf; Latn-DK da jut; Latn-DZ kab; Latn-EC qug; Latn-EE et ie \
    vro; Latn-ER ssy; Latn-ES an ast ca es eu ext gl; Latn-ET aa om sid; Latn-FI fi rmf smn sm\
    s; Latn-FJ fj rtm; Latn-FM chk kos pon uli yap; Latn-FO fo; Latn-FR br co fr frp oc pcd; L\
    atn-GA puu; Latn-GB cy gd kw sco; Latn-GF gcr; Latn-GH abr ada ak ee gaa gur nzi saf; Latn\
    -GL kl; Latn-GM man; Latn-GN fuf sus; Latn-GQ bvb fan; Latn-GT quc; Latn-GU ch; Latn-GW kn\
    f; Latn-HR hr; Latn-HT ht; Latn-HU hu; Latn-ID ace aoz ban bbc bew bjn bug gay gor id in j\
    v jw kge kvr lbw ljp mad mak mdr min mwv nij rej rob sas sly su sxn; Latn-IE ga; Latn-IM g\
    v; Latn-IN kha njo ria; Latn-IS is; Latn-IT egl fur it lij lmo nap pms rgn sc scn sdc vec;\
     Latn-JM jam; Latn-KE dav ebu guz kam ki kln luo luy mas mer pko saq; Latn-KI gil; Latn-LR\
     kpe; Latn-LT lt sgs; Latn-LU lb; Latn-LV ltg lv; Latn-MA rif tzm; Latn-MD gag; Latn-MG mg\
    ; Latn-MH mh; Latn-ML bm bmq bze dtm ffm kao khq mwk ses snk; Latn-MM kac; Latn-MT mt; Lat\
    n-MU mfe; Latn-MW ny tog tum; Latn-MX maz nch nhe nhw sei yua; Latn-MY blg dtp iba ktr kzj\
     kzt ms tdu zmi; Latn-MZ mgh ndc ngl rng seh vmw yao; Latn-NA hz kj naq ng; Latn-NE dje fu\
    q tmh twq; Latn-NG amo bin cch efi fuv ha ibb ig kaj kcg kr pcm tiv yo; Latn-NL fy gos li \
    nl zea; Latn-NO nb nn no se; Latn-NR na; Latn-NU niu; Latn-NZ mi; Latn-PE qu; Latn-PF ty; \
    Latn-PG ho tpi; Latn-PH bik bku bto ceb cps fil hil hnn ilo krj mdh pag pam tbw tl tsg war\
    ; Latn-PL csb pl prg sli szl; Latn-PW pau; Latn-PY gn; Latn-RE rcf; Latn-RO mo ro; Latn-RU\
     izh krl vep vot; Latn-RW rw; Latn-SB rug; Latn-SC crs; Latn-SD fvr mls zag; Latn-SE fit r\
    mu sma smj sv; Latn-SI sl; Latn-SK sk; Latn-SL kri men tem; Latn-SN bjt dyo ff sav srr wo;\
     Latn-SO so; Latn-SR srn; Latn-SS nus; Latn-SX vic; Latn-TG ife kdh zlm; Latn-TK tkl; Latn\
    -TL tet; Latn-TM tk; Latn-TO to; Latn-TR kiu ku lzz tr tru zza; Latn-TV tvl; Latn-TW trv; \
    Latn-TZ asa bez jmc kde ksb lag mgy nym rof rwk sbp suk sw vun; Latn-UG ach cgg laj lg myx\
     nyn teo ttj xog; Latn-US cad cho cic dak en esu frc haw ik lkt mus nv pdc; Latn-UZ uz; La\
    tn-VA la; Latn-VN vi; Latn-VU bi; Latn-WF fud wls; Latn-WS sm; Latn-XK aln; Latn-YT buc; L\
    atn-ZA af nr nso ss st tn ts ve xh zu; Latn-ZM bem loz; Latn-ZW kck mxc nd sn; Latn-ZZ aai\
     aak aau abi abt aby acd ade adj adz aey agc agd agg agm ago aha ahl ajg ala ali amm amn a\
    mp anc ank ann any aoj aom ape apr aps apz arh asg aso ata atg auy avn avt avu awb awo awx\
     ayb bav bba bbb bbd bbp bbr bcf bch bcm bcn bco bcu bdd bef beh bet bex bhg bhl bhy bib b\
    ig bim bio biq bjh bjo bjr bjz bkc bkq bkv bmh bmk bmu bng bnm bnp boj bom bon bqc bqp brz\
     bsj btt bud buk buo bus buu bwd bwr bxh bye byr bys byx bza bzf bzh bzw can cbj cfa cjv c\
    kl cko cky cla cme dad dag dah dbd dbq ddn ded dga dgh dgi dgz dia dob dop dow dri dts duc\
     dud dug dva dww dzg eka ema emi enn enq eri etr etu etx eza faa fab fag fai ffi flr fmp f\
    od for fpe fqs fue fuh fuy gaf gah gaj gam gaw gba gbf gby gde gdn gdr geb gej gel gfk ghs\
     gim gjn gkn gkp gmm gnd gng god goi grb grw gud guw gux gvf gvs gyi hag ham hbb hhy hia h\
    ig hih hla hmt hot hui ian iar iby ica ich idd idi idu igb ige ijj ikk ikw ikx imo iou iri\
     iwm iws izi jab jar jbu jen jgk jib jra kad kai kbm kbp kbq kbx kcl kct kdl kez kgf khs k\
    hz kij kiw kjd kjs kjy kkc klq klt klx kmh kmo kms kmu kmw knp kol koz kpf kpo kpr kpx kqb\
     kqf kqs krs ksd ksj ksr ktm kto kub kud kue kuj kun kup kus kvg kwj kwo kwq kxa kxe kxw k\
    xz kye kyx kzr las lbu lcm ldb led lee lem leq leu lgg lia lid lig lih lle lln lmp lns lnu\
     loj lok lor los maw mbh mbo mbq mbu mbw mci mcp mcq mcr mcu mda mdj med mee mek met meu m\
    fn mfo mfq mgl mhi mhl mif miw mkl mkp mkw mle mlp mmo mmu mmx mna mnf moa mox mpp mps mpt\
     mpx mql mtc mtf mti mur mva mvn mxm myk myw mzk mzm mzp mzw mzz nac naf nak nas nca nce n\
    cf nco ncu neb nex nfr nga ngb nhb nif nii nin niy niz nkg nko nmz nnf nnk nnm nop nou nrb\
     nsn nss ntm ntr nui nup nuv nux nwb nxr ogc okr okv ong onn ons opm oro ozm pbi ped pex p\
    il pip pla png pnn ppo pss ptp pwa rai rao rel res rna roo rro rwo sba sbe sgz shk sig sil\
     sim sjr skc sks sld sll smq snc snp snx sny sok soq soy spd spl sps ssd ssg stk sua sue s\
    ur swp sxw tal tan taq tbc tbd tbf tbg tbo tbz tci ted tfi tgc tgo tgu tif tik tim tio tlf\
     tlx tmy tnh tof toq tpm tpz tqo tsw ttd tte ttr tuh tul tuq tvd tvu twh tya ubu uok uri u\
    rt urw usa uth utr uvh uvl vag van viv vut waj wan wci wer wgi whg wib wiu wiv wja wji wmo\
     wnc wnu wob wos wrs wsk wuv wwa xbi xes xla xon xrb xsi xsm xwe yam yas yat yay yaz yba y\
    by yer ygr ygw yko yle ylg yll yml yon yrb yre yss yuj yut yuw zia zne; Lepc-IN lep; Lina-\
    GR lab; Lisu-CN lis; Lyci-TR xlc; Lydi-TR xld; Mand-IR myz; Mani-CN xmn; Medf-NG dmf; Merc\
    -SD xmr; Mlym-IN ml; Mong-CN drh; Mroo-BD mro; Mymr-IN kht; Mymr-MM mnw my shn; Narb-SA xn\
    a; Nkoo-GN nqo; Nshu-CN zhx; Ogam-IE sga; Olck-IN sat; Orkh-MN otk; Orya-IN or; Osge-US os\
    a; Ougr-CN oui; Pauc-MM ctd; Phli-IR pal; Phnx-LB phn; Plrd-CN hmd; Prti-IR xpr; Rohg-MM r\
    hg; Runr-SE non; Samr-IL smp; Sarb-YE xsa; Saur-IN saz; Sgnw-US ase; Sinh-IN pi; Sinh-LK s\
    i; Sogd-UZ sog; Sora-IN srb; Soyo-MN cmg; Syrc-IQ syr; Tale-CN tdd; Talu-CN khb; Taml-IN b\
    fq ta; Tang-CN txg; Tavt-VN blt; Telu-IN lmn te wbq; Tfng-MA shi zgh; Thaa-MV dv; Thai-CN \
    lcp; Thai-TH kdt kxm lwl sou th tts; Tibt-BT adp dz tsj; Tibt-CN bo; Tnsa-IN nst; Toto-IN \
    txo; Ugar-SY uga; Vaii-LR vai; Wcho-IN nnp; Xpeo-IR peo; Xsux-IQ akk; Yiii-CN ii
    """

  /// Languages together with a script or a region whose usual rest is another one.
  static let ofOthers = """
    arc-Nbat=Nbat-JO arc-Palm=Palm-SY az-Arab=Arab-IR az-IQ=Arab-IQ az-IR=Arab-IR az-RU=Cyrl-R\
    U cu-Glag=Glag-BG en-Shaw=Shaw-GB ff-Adlm=Adlm-GN grc-Linb=Linb-GR ha-CM=Arab-CM ha-SD=Ara\
    b-SD hi-Latn=Latn-IN kk-AF=Arab-AF kk-Arab=Arab-CN kk-CN=Arab-CN kk-IR=Arab-IR kk-MN=Arab-\
    MN ku-Arab=Arab-IQ ku-LB=Arab-LB ku-Yezi=Yezi-GE ky-Arab=Arab-CN ky-CN=Arab-CN ky-Latn=Lat\
    n-TR ky-TR=Latn-TR lif-Limb=Limb-IN man-GN=Nkoo-GN man-Nkoo=Nkoo-GN mn-CN=Mong-CN mn-Mong=\
    Mong-CN ms-CC=Arab-CC pa-Arab=Arab-PK pa-PK=Aran-PK pal-Phlp=Phlp-CN rif-NL=Latn-NL sd-Dev\
    a=Deva-IN sd-IN=Deva-IN sd-Khoj=Khoj-IN sd-Sind=Sind-IN sr-ME=Latn-ME sr-RO=Latn-RO sr-RU=\
    Latn-RU sr-TR=Latn-TR tg-Arab=Arab-PK tg-PK=Arab-PK ug-Cyrl=Cyrl-KZ ug-KZ=Cyrl-KZ ug-MN=Cy\
    rl-MN unr-Deva=Deva-NP unr-NP=Deva-NP uz-AF=Arab-AF uz-Arab=Arab-AF uz-CN=Cyrl-CN yue-CN=H\
    ans-CN yue-Hans=Hans-CN zh-AU=Hant-AU zh-BN=Hant-BN zh-Bopo=Bopo-TW zh-GB=Hant-GB zh-GF=Ha\
    nt-GF zh-HK=Hant-HK zh-Hanb=Hanb-TW zh-Hant=Hant-TW zh-ID=Hant-ID zh-MO=Hant-MO zh-PA=Hant\
    -PA zh-PF=Hant-PF zh-PH=Hant-PH zh-SR=Hant-SR zh-TH=Hant-TH zh-TW=Hant-TW zh-US=Hans-US zh\
    -VN=Hant-VN
    """

  /// A tag, and the tags whose nearest relative it is without being their prefix.
  static let parents = """
    en-001 en-150 en-AG en-AI en-AU en-BB en-BM en-BS en-BW en-BZ en-CC en-CK en-CM en-CX en-C\
    Y en-DG en-DM en-ER en-FJ en-FK en-FM en-GB en-GD en-GG en-GH en-GI en-GM en-GY en-HK en-I\
    E en-IL en-IM en-IN en-IO en-JE en-JM en-KE en-KI en-KN en-KY en-LC en-LR en-LS en-MG en-M\
    O en-MS en-MT en-MU en-MV en-MW en-MY en-NA en-NF en-NG en-NR en-NU en-NZ en-PG en-PK en-P\
    N en-PW en-RW en-SB en-SC en-SD en-SG en-SH en-SL en-SS en-SX en-SZ en-TC en-TK en-TO en-T\
    T en-TV en-TZ en-UG en-VC en-VG en-VU en-WS en-ZA en-ZM en-ZW; en-150 en-AT en-BE en-CH en\
    -DE en-DK en-FI en-NL en-SE en-SI; en-IN hi-Latn; es-419 es-AR es-BO es-BR es-BZ es-CL es-\
    CO es-CR es-CU es-DO es-EC es-GT es-HN es-MX es-NI es-PA es-PE es-PR es-PY es-SV es-US es-\
    UY es-VE; no nb nn; pt-PT pt-AO pt-CH pt-CV pt-FR pt-GQ pt-GW pt-LU pt-MO pt-MZ pt-ST pt-T\
    L; zh-Hant-HK zh-Hant-MO
    """
}
