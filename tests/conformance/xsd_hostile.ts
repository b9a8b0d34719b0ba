/** Hostile content inserted into documents. Parts are separated by `¦` or a line; `⏎` is a line feed. */

/** Values at the edges of the types, and beyond them. */
export const VALUES = parts(`¦ ¦⏎¦\u00a0¦&#160;¦&#32;¦&#9;¦&#13;¦&#10;¦x¦\u2028¦\u0085¦\u3000
0¦1¦+1¦-1¦1.¦.5¦-.5¦.¦+¦-¦--1¦+-1¦1..2¦1.2.3¦1,5¦1e5¦1E5¦INF¦-INF¦NaN¦0x10¦ 1 ¦1 2¦\t1¦1⏎¦١¦１¦1\u00a0¦00012.500¦-0.00
1_000¦1&#48;¦${"9".repeat(18)}¦${"9".repeat(24)}¦${"9".repeat(25)}¦${"9".repeat(40)}¦${
  "9".repeat(400)
}¦0.${"1".repeat(30)}
2026-11-20¦2026-02-30¦2026-02-29¦2024-02-29¦1900-02-29¦2000-02-29¦2026-13-01¦2026-00-10¦2026-01-00¦2026-1-1¦26-01-01
02026-01-01¦12026-01-01¦-2026-01-01¦0000-01-01¦-0001-01-01¦2026-11-20Z¦2026-11-20z¦2026-11-20+00:00¦2026-11-20-00:00
2026-11-20+14:00¦2026-11-20+14:01¦2026-11-20+13:60¦2026-11-20+1:00¦2026-11-20+15:00¦2026-11-20-14:00¦2026-11-20 Z
 2026-11-20 ¦2026-11-20T10:00:00¦2026-11-20T24:00:00¦2026-11-20T24:00:01¦2026-11-20T10:00¦2026-11-20t10:00:00
2026-11-20 10:00:00¦2026-11-20T10:00:00.¦2026-11-20T10:00:60¦2026-11-20T10:60:00¦2026-11-20T25:00:00¦10:00:00¦24:00:00
23:59:60¦10:00¦10:00:00.1234567890123456789¦23:59:59.99999999999999999999¦10:00:00Z¦10:00:00+14:00¦10:00:00+14:01
1:00:00¦10:00:0¦-10:00:00¦10:00:00 ¦2026¦2026-11¦--11-20¦---20¦true¦false¦TRUE¦True¦yes¦no¦truE¦tru¦ true ¦true⏎¦01¦-0
fr¦fr-FR¦fr_FR¦français¦x-¦-fr¦abcdefghi¦en-¦e¦i-klingon¦fr-abcdefghi¦1fr¦QUJD¦QUI=¦QQ==¦QQ=¦QR==¦QUJ=¦QUK=¦QQ=Q¦=QQQ¦Q===
====¦QUJD====¦QU JD¦QU-D¦QU_D¦QUJD QUJD¦QUJDQ¦Q Q = =¦QUJD\u00a0¦QQ= =¦Q&#85;JD¦<![CDATA[QUJD]]>¦QU<!-- -->JD¦urn:a:b
urn:¦:a¦http://¦http://a b¦http://[::1]/¦http://[¦http://a:b/¦http://a:80/¦a%zz¦%41¦http://é.fr¦a#b#c¦//x¦?¦#¦http://a/^
mailto:a@b.c¦1http:x¦urn:a b¦http://a|b¦http://a\\b¦{x}¦http://u:p@h:9/¦http://a:99999999999/¦C62¦H87¦ABCD¦é€¦a b¦   ¦A
ÄÖÜ¦<!-- c -->¦<?pi x?>¦<![CDATA[]]>¦<![CDATA[x]]>¦a<!-- c -->b¦]]&gt;¦&#x1F600;¦😀¦&amp;#65;¦\u200b¦\ufeff¦\ufffd¦\u007f
\u0080¦\u009f¦&#x7f;¦&#xFFFD;¦&quot;&apos;¦a\u0300¦</x¦]]>`);

/** Content between elements. */
export const GAPS = parts(
  `x¦0¦.¦\u00a0¦\u3000¦\u2003¦\u0085¦\u200b¦\ufeff¦ ¦\t¦&#32;¦&#10;¦&#13;¦&#9;¦&amp;¦]]>¦]]¦\u2028¦&#160;
<!-- c -->¦<!---->¦<!-- a - b -->¦<!--->-->¦<!-- -- -->¦<!--a--->¦<!---a-->¦<!-- c -->x¦ <!-- c --> ¦<!-- <cbc:ID/> & ]]> -->
<!-- é\u{1F600} -->¦<!--\u0085-->¦<?pi?>¦<?pi x?>¦<?é x?>¦<?xml-stylesheet a?>¦<?XML x?>¦<?a:b c?>¦<?a:?>¦<?_ ?? ?>
<?passerelle-key doc='a'?>¦<?pi <cbc:ID/> & ?>¦<![CDATA[]]>¦<![CDATA[ ]]>¦<![CDATA[x]]>¦<x/>¦<x xmlns=''/>`,
);

const XSI = 'xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance"';

/** Content of a start tag. */
export const ATTRIBUTES = parts(
  `${XSI} xsi:nil="true"¦${XSI} xsi:nil="false"¦${XSI} xsi:type="x"¦${XSI} xsi:other="x"¦${XSI}
${XSI} xsi:type="xs:string" xmlns:xs="http://www.w3.org/2001/XMLSchema"¦${XSI} xsi:Type="x"¦${XSI} xsi:schemaLocation="a b"
${XSI} xsi:schemaLocation=""¦${XSI} xsi:schemaLocation="a b c"¦${XSI} xsi:noNamespaceSchemaLocation="http://x/%zz"
${XSI} xsi:schemaLocation="urn:oasis:names:specification:ubl:schema:xsd:Invoice-2 ../xsd/maindoc/UBL-Invoice-2.1.xsd"
xml:lang="fr"¦xml:lang="%"¦xml:space="preserve"¦xml:space="odd"¦xml:id="a"¦xml:id="1 2"¦xml:base="http://a b"
xmlns:a="urn:a"¦xmlns:a=""¦xmlns:a="a b"¦xmlns:a="%zz"¦xmlns:a="http://["¦xmlns:a="relative"¦xmlns:a=":"¦xmlns:a="urn:é"
xmlns:xml="http://www.w3.org/XML/1998/namespace"¦xmlns:xmlns="urn:a"¦xmlns:a="http://www.w3.org/2000/xmlns/"¦xmlns:XML="urn:x"
xmlns=""¦xmlns="urn:other"¦xmlns:é="urn:a"¦xmlns:\u00d7="urn:a"¦xmlns:\u0300a="urn:a"¦xmlns:_="urn:a"¦xmlns:a.b-c="urn:a"
xmlns:a="http://a:b"¦unknown="1"¦a:b="1"¦xmlns:a="urn:a" a:b="1"¦currencyID="EUR"¦currencyID=""¦schemeID="0002"¦ID="x"
schemeID="a⏎b"¦listID="x"¦format="102"¦unitCode="C62"¦unitCode=""¦unitCode="ABCD"¦unitCode=" C6 "¦unitCode="é"¦unknown=''
mimeCode="a/b"¦languageID="fr"¦languageID="f_r"¦schemeURI="a b"¦schemeURI="%"¦name="&lt;"¦filename="a&#10;b"¦uri="http://a|b"
listAgencyID="6"¦listAgencyID="7"¦schemeAgencyID="5"¦schemeVersionID="x"`,
);

/** Content of elements that may contain anything. */
export const FREE = parts(
  `¦x¦<a/>¦<a xmlns=''/>¦<a xmlns='urn:a' b='c' xml:lang='fr'>x<b/>y</a>¦<?pi?>¦<!-- c -->
<a xmlns='urn:a'><![CDATA[x]]></a>¦<cbc:ID>1</cbc:ID>¦<cbc:Amount>x</cbc:Amount>¦<cbc:IssueDate>x</cbc:IssueDate>¦<cbc:Unknown/>
<cac:Party/>¦<cac:Price/>¦<a xmlns='urn:a' xml:id='1'/>¦<a xmlns='urn:a' xmlns:b='%zz' b:c='d'/>¦<é xmlns='urn:a'/>
<b:a xmlns:b='urn:a' b:\u0300c='d'/>¦<b:\u0300 xmlns:b='urn:a'/>¦<b:a xmlns:b='urn:a' b:c='d'><b:a/></b:a>
<a xmlns='urn:a' ${XSI} xsi:type='x'/>¦<a xmlns='urn:a' ${XSI} xsi:nil='true'>x</a>¦<a xmlns='urn:a' cbc:ID='x'/>
<a xmlns='urn:a'><cbc:IssueDate>2026-02-30</cbc:IssueDate></a>¦<a xmlns='urn:a'><b xmlns=''><c xmlns='a b'/></b></a>
<${"n".repeat(60_000)} xmlns='urn:a'/>`,
);

/** Content before the root. */
export const HEADS = parts(
  `¦<?xml version='1.0'?>¦<?xml version="1.0" encoding="UTF-8"?>⏎¦<?xml version="1.1"?>¦<?xml version="1.7"?>
<?xml version="1.0" encoding="ISO-8859-1"?>¦<?xml version="1.0" encoding="utf-8" standalone="yes"?>¦<?xml version="1.00"?>
<?xml version="1.0" encoding="UTF-16"?>¦<?xml version="1.0" encoding="us-ascii"?>¦<?xml\tversion="1.0"?>¦<?xml version = "1.0"  ?>
<?xml version="1.0" encoding="windows-1252"?>¦<?xml version="1.0" encoding="UTF8"?>¦<!-- c -->¦<?pi x?>¦<?é?>¦<?XML?>
<?xml-stylesheet href='a'?>¦\ufeff¦ ¦<!DOCTYPE a>¦x¦<!-- -- -->`,
);

/** Characters that replace another or are inserted. */
export const CHARACTERS: readonly string[] = [
  ...`<>&"'/=]\0\u0001\ufffe\uffff\r\n \u00a0é:-?!\u{1FFFE}\u{10FFFF}\u007f\u0085x0`,
  "\ud800",
  "\udc00",
];

function parts(list: string): string[] {
  return list.split(/[¦\n]/).map((part) => part.replaceAll("⏎", "\n"));
}
