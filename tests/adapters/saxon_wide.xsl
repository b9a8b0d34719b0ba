<xsl:stylesheet version="3.0" xmlns:xsl="http://www.w3.org/1999/XSL/Transform" xmlns:xs="http://www.w3.org/2001/XMLSchema" xmlns:map="http://www.w3.org/2005/xpath-functions/map" xmlns:array="http://www.w3.org/2005/xpath-functions/array" xmlns:math="http://www.w3.org/2005/xpath-functions/math" xmlns:f="urn:f" xmlns:err="http://www.w3.org/2005/xqt-errors" exclude-result-prefixes="#all" expand-text="yes">
<xsl:output name="o" method="json"/>
<xsl:strip-space elements="a"/><xsl:preserve-space elements="b"/>
<xsl:decimal-format name="fr" decimal-separator="," grouping-separator="."/>
<xsl:character-map name="cm"><xsl:output-character character="x" string="y"/></xsl:character-map>
<xsl:attribute-set name="as"><xsl:attribute name="q" select="1"/></xsl:attribute-set>
<xsl:namespace-alias stylesheet-prefix="f" result-prefix="f"/>
<xsl:key name="k" match="a" use="@id"/>
<xsl:mode name="m" on-no-match="shallow-copy"/><xsl:mode name="m2" on-no-match="deep-skip"/><xsl:mode name="m3" on-no-match="fail" use-accumulators="acc"/>
<xsl:accumulator name="acc" as="xs:integer" initial-value="0"><xsl:accumulator-rule match="a" select="$value + 1"/></xsl:accumulator>
<xsl:param name="p" as="xs:string?" static="no"/><xsl:param name="req" required="no"/>
<xsl:variable name="st" static="yes" select="1"/>
<xsl:variable name="tree"><x><y/></x></xsl:variable>
<xsl:function name="f:g" as="item()*"><xsl:param name="x"/><xsl:param name="y" as="xs:decimal*"/><xsl:sequence select="$x, sum($y)"/></xsl:function>
<xsl:function name="f:memo" as="xs:integer" cache="yes"><xsl:param name="n" as="xs:integer"/><xsl:sequence select="if ($n le 1) then 1 else $n * f:memo($n - 1)"/></xsl:function>
<xsl:function name="f:loop"><xsl:param name="n"/><xsl:choose><xsl:when test="$n = 0">0</xsl:when><xsl:otherwise><xsl:sequence select="f:loop($n - 1)"/></xsl:otherwise></xsl:choose></xsl:function>
<xsl:template match="/"><out xsl:use-attribute-sets="as">
 <xsl:apply-templates select="//a" mode="m"><xsl:sort select="@id" order="descending" data-type="number" lang="fr" case-order="upper-first"/><xsl:with-param name="t" select="1" tunnel="yes"/></xsl:apply-templates>
 <xsl:apply-templates mode="m2"/><xsl:apply-templates mode="m3" select="/"/>
 <xsl:for-each select="//a[position() lt last()]"><xsl:value-of select="position(), last(), current()" separator="-"/></xsl:for-each>
 <xsl:for-each-group select="//a" group-by="@g" composite="no"><xsl:sort select="current-grouping-key()"/>{current-grouping-key()}:{count(current-group())}</xsl:for-each-group>
 <xsl:for-each-group select="//a" group-adjacent="@g">x</xsl:for-each-group>
 <xsl:for-each-group select="//a" group-starting-with="a[@s]">x</xsl:for-each-group>
 <xsl:for-each-group select="//a" group-ending-with="a[@s]">x</xsl:for-each-group>
 <xsl:iterate select="1 to 10"><xsl:param name="s" select="0"/><xsl:on-completion>{$s}</xsl:on-completion><xsl:choose><xsl:when test=". = 8"><xsl:break select="$s"/></xsl:when><xsl:otherwise><xsl:next-iteration><xsl:with-param name="s" select="$s + ."/></xsl:next-iteration></xsl:otherwise></xsl:choose></xsl:iterate>
 <xsl:choose><xsl:when test="$p = 'a'">1</xsl:when><xsl:otherwise>2</xsl:otherwise></xsl:choose>
 <xsl:analyze-string select="'a1b'" regex="(\d)"><xsl:matching-substring>{regex-group(1)}</xsl:matching-substring><xsl:non-matching-substring>{.}</xsl:non-matching-substring></xsl:analyze-string>
 <xsl:try><xsl:sequence select="error(xs:QName('f:x'), 'm', 1)"/><xsl:catch errors="*" >{$err:code} {$err:description}</xsl:catch></xsl:try>
 <xsl:element name="e{1}" namespace="urn:e"><xsl:attribute name="a{1}" namespace="urn:b">v</xsl:attribute><xsl:namespace name="n">urn:n</xsl:namespace></xsl:element>
 <xsl:comment>c</xsl:comment><xsl:processing-instruction name="pi{1}">x</xsl:processing-instruction><xsl:text disable-output-escaping="no">t</xsl:text>
 <xsl:copy-of select="*" copy-namespaces="no"/><xsl:copy/><xsl:sequence select="."/><xsl:document><d/></xsl:document>
 <xsl:number value="12" format="I"/><xsl:number level="any" count="a"/><xsl:number level="multiple" count="a|b" from="r" format="1.1"/>
 <xsl:perform-sort select="3,1,2"><xsl:sort select="."/></xsl:perform-sort>
 <xsl:where-populated><w><xsl:sequence select="()"/></w></xsl:where-populated><oe><xsl:sequence select="b"/><xsl:on-non-empty>n</xsl:on-non-empty><xsl:on-empty>e</xsl:on-empty></oe>
 <xsl:map><xsl:map-entry key="'a'" select="1"/></xsl:map>
 <xsl:merge><xsl:merge-source select="1,2,3"><xsl:merge-key select="."/></xsl:merge-source><xsl:merge-source select="2,4"><xsl:merge-key select="."/></xsl:merge-source><xsl:merge-action>{current-merge-key()}</xsl:merge-action></xsl:merge>
 <xsl:fork><xsl:sequence select="1"/><xsl:sequence select="2"/></xsl:fork>
 <xsl:assert test="true()">no</xsl:assert><xsl:message>hi</xsl:message><xsl:message terminate="{if ($p='zz') then 'yes' else 'no'}" error-code="f:e" select="1"/>
 <xsl:call-template name="t"><xsl:with-param name="z" select="1"/></xsl:call-template>
 <xsl:source-document href="none.xml" use-when="false()"/>
 <v><xsl:sequence select="//a[@id='1'], a/b/@c, ancestor::*, ancestor-or-self::node(), following-sibling::*[1], preceding-sibling::a, following::a, preceding::a, parent::*, descendant::text(), self::a, namespace::*, comment(), processing-instruction(), document-node(), node()"/></v>
 <v>{for $i in 1 to 3, $j in 1 to 2 return $i * $j}{let $a := 1, $b := 2 return $a + $b - 1 div 2 idiv 1 mod 3}{some $x in (1,2) satisfies $x eq 1}{every $x in (1,2) satisfies $x = 1}</v>
 <v>{if (1 lt 2 and 2 gt 1 or not(false())) then 'a' else 'b'}{'a' || 'b'}{(1,2)!(. + 1)}</v>
 <v>{//a[1] &lt;&lt; //a[2]}{//a[1] &gt;&gt; //a[2]}{//a union //b}{//a intersect //b}{//a except //b}{-1}{+1}{1.5e0}{'x' castable as xs:integer}{'1' cast as xs:integer}{'1' cast as xs:integer?}{1 instance of xs:integer}{1 treat as xs:integer}</v>
 <v>{map{'a':1,'b':[1,2]}?a}{map{'a':1}?*}{[1,2,3]?2}{array{1,2}?*}{map:get(map{'a':1},'a')}{map:keys(map{})}{map:merge((map{'a':1},map{'b':2}), map{'duplicates':'use-last'})}{map:put(map{},'a',1)?a}{map:contains(map{},'a')}{map:size(map{})}{map:remove(map{'a':1},'a')!map:size(.)}{map:for-each(map{'a':1}, function($k,$v){$k})}{map:find(map{'a':1},'a')}{map:entry('a',1)?a}</v>
 <v>{array:size([1])}{array:get([1],1)}{array:append([1],2)}{array:join(([1],[2]))}{array:flatten([1,[2]])}{array:for-each([1],function($x){$x})}{array:filter([1],function($x){true()})}{array:fold-left([1],0,function($a,$b){$a+$b})}{array:fold-right([1],0,function($a,$b){$a+$b})}{array:head([1])}{array:tail([1])}{array:reverse([1])}{array:sort([1])}{array:subarray([1],1)}{array:put([1],1,2)}{array:remove([1],1)}{array:insert-before([1],1,2)}{array:for-each-pair([1],[2],function($a,$b){$a})}</v>
 <v>{math:pi()}{math:sqrt(2)}{math:pow(2,3)}{math:exp(1)}{math:log(1)}{math:sin(1)}</v>
 <v>{f:g#2(1,2)}{f:g(1,?)(2)}{function($x as xs:integer) as xs:integer {$x+1}(1)}{concat#2('a','b')}{let $f := upper-case#1 return $f('a')}{for-each((1,2), f:memo#1)}{filter((1,2), function($x){$x=1})}{fold-left((1,2),0,function($a,$b){$a+$b})}{fold-right((1,2),0,function($a,$b){$a+$b})}{for-each-pair((1,2),(3,4),function($a,$b){$a+$b})}{sort((2,1))}{sort((2,1),(),function($x){-$x})}{apply(concat#2,['a','b'])}{'a' => upper-case() => concat('b')}{function-name(upper-case#1)}{function-arity(upper-case#1)}{f:loop(3)}</v>
 <v>{string-join((1,2),',')}{normalize-space(' a ')}{translate('a','a','b')}{substring('abc',2,1)}{substring-before('a-b','-')}{substring-after('a-b','-')}{starts-with('a','a')}{ends-with('a','a')}{contains('a','a')}{matches('a','a')}{replace('a','a','b')}{tokenize('a b')}{tokenize('a,b',',')}{upper-case('a')}{lower-case('A')}{string-length('a')}{string(1)}{concat('a','b')}{codepoints-to-string(65)}{string-to-codepoints('a')}{compare('a','b')}{codepoint-equal('a','b')}{normalize-unicode('a')}{encode-for-uri('a')}{iri-to-uri('a')}{escape-html-uri('a')}{analyze-string('a','a')}{contains-token('a b','a')}</v>
 <v>{number('1')}{abs(-1)}{ceiling(1.2)}{floor(1.2)}{round(1.25,1)}{round-half-to-even(1.25,1)}{format-number(1234.5,'#.##0,00','fr')}{format-integer(1,'w')}{sum((1,2))}{avg((1,2))}{min((1,2))}{max((1,2))}{count((1,2))}{random-number-generator()?number}</v>
 <v>{current-date()}{current-dateTime()}{current-time()}{implicit-timezone()}{format-date(current-date(),'[Y]')}{format-dateTime(current-dateTime(),'[Y]')}{format-time(current-time(),'[H]')}{year-from-date(xs:date('2024-01-01'))}{month-from-date(xs:date('2024-01-01'))}{day-from-date(xs:date('2024-01-01'))}{xs:date('2024-01-02') - xs:date('2024-01-01')}{xs:dayTimeDuration('P1D')}{xs:yearMonthDuration('P1Y')}{dateTime(xs:date('2024-01-01'),xs:time('00:00:00'))}{adjust-date-to-timezone(current-date())}{adjust-dateTime-to-timezone(current-dateTime())}{adjust-time-to-timezone(current-time())}{days-from-duration(xs:duration('P1D'))}{hours-from-dateTime(current-dateTime())}{parse-ietf-date('Wed, 06 Jun 1994 07:29:35 GMT')}{timezone-from-date(current-date())}</v>
 <v>{distinct-values((1,1))}{index-of((1,2),2)}{empty(())}{exists(1)}{head((1,2))}{tail((1,2))}{insert-before((1,2),1,3)}{remove((1,2),1)}{reverse((1,2))}{subsequence((1,2,3),2)}{unordered((1,2))}{zero-or-one(1)}{one-or-more(1)}{exactly-one(1)}{deep-equal(1,1)}{data(.)}{boolean(1)}{true()}{false()}{not(1)}{nilled(/*)}{lang('fr',/*)}{root()!name()}{path(/*)}{innermost(//a)!name()}{outermost(//a)!name()}{has-children(/)}{generate-id(/)}{key('k','1')!name()}{id('a')!name()}{idref('a')!name()}{element-with-id('a')!name()}{position()}{last()}{name()}{local-name()}{namespace-uri()}{node-name(/*)}{base-uri()}{document-uri()}{static-base-uri()}{in-scope-prefixes(/*)}{namespace-uri-for-prefix('x',/*)}{resolve-QName('a',/*)}{QName('urn:a','a')}{prefix-from-QName(QName('u','a:b'))}{local-name-from-QName(QName('u','a'))}{namespace-uri-from-QName(QName('u','a'))}{resolve-uri('a','http://b/')}{default-collation()}{default-language()}{collation-key('a')}</v>
 <v>{parse-xml('&lt;a/>')/a}{parse-xml-fragment('a')}{serialize(.)}{serialize(map{'a':1},map{'method':'json'})}{parse-json('{{"a":1}}')?a}{json-to-xml('{{"a":1}}')}{xml-to-json(json-to-xml('{{"a":1}}'))}{trace(1,'x')}{function-available('upper-case')}{element-available('xsl:if')}{type-available('xs:integer')}{accumulator-before('acc')}{accumulator-after('acc')}{snapshot(/*)!name()}{copy-of(/*)!name()}{current-output-uri()}{available-system-properties()!string()}{unparsed-entity-uri('a')}{unparsed-entity-public-id('a')}{regex-group(0)}</v>
 <v>{xs:integer('1')}{xs:decimal('1')}{xs:double('1')}{xs:boolean('1')}{xs:date('2024-01-01')}{xs:QName('xsl:a')}{xs:anyURI('a')}{xs:NMTOKENS('a b')}{xs:untypedAtomic('a')}{xs:base64Binary('YQ==')}{xs:hexBinary('61')}{xs:gYear('2024')}{xs:token(' a ')}</v>
 </out></xsl:template>
<xsl:template match="a[@id='1']" mode="m" priority="2"><xsl:param name="t" tunnel="yes"/><xsl:next-match/><xsl:apply-imports/></xsl:template>
<xsl:template match="a | b/c | @id | text()[. = 'x'] | key('k','1') | a//b | comment() | processing-instruction('x') | *:n | xsl:* | document-node(element(z))" mode="m3" /><xsl:template match=".[. instance of xs:integer]" mode="m3"/><xsl:template match="element(a) | attribute(b)" mode="m3"/>
<xsl:template name="t"><xsl:param name="z" as="xs:integer" required="yes"/><xsl:param name="zz" select="2"/>{$z}{$tree//y}</xsl:template>
</xsl:stylesheet>
