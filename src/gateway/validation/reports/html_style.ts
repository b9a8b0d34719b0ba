/**
 * Styles for light and dark mode, and black on white for print. `lang` selects the visible language: see `#speak-…`.
 */
export const STYLE = `
:root{--ink:#1b2430;--soft:#5b6675;--line:#d9dee5;--page:#f4f5f7;--card:#fff;--good:#156c3c;--bad:#b3261e;--warn:#8a5a00;
--info:#2a5a8c;--bad-bg:#fdecea;--warn-bg:#fff4dc;--info-bg:#e9f1f9;--good-bg:#e4f4ea}
@media (prefers-color-scheme:dark){:root{--ink:#e6e9ee;--soft:#9aa5b3;--line:#343c47;--page:#14181d;--card:#1d232a;
--good:#6fcf97;--bad:#ff8a80;--warn:#f0b95a;--info:#8fbdea;--bad-bg:#3a2020;--warn-bg:#362b16;--info-bg:#1c2c3c;--good-bg:#173324}}
*{box-sizing:border-box}
body{margin:0 auto;padding:1.5rem 1rem 4rem;max-width:60rem;background:var(--page);color:var(--ink);
font:1rem/1.5 system-ui,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif}
h1{margin:0;font-size:1.75rem;line-height:1.2;display:flex;align-items:center;gap:.6rem}
h2{margin:2rem 0 .75rem;font-size:1.15rem}h3{margin:1rem 0 .25rem;font-size:1rem}p{margin:.35rem 0}
a{color:inherit}code,.source{font-family:ui-monospace,"SF Mono",Menlo,Consolas,"DejaVu Sans Mono",monospace}
code{font-size:.9em}
#speak-fr,#speak-en{position:absolute;opacity:0;pointer-events:none}
#speak-fr:checked~* [lang=en],#speak-fr:checked~[lang=en],#speak-en:checked~* [lang=fr],#speak-en:checked~[lang=fr]{display:none}
nav{display:flex;justify-content:flex-end;gap:.25rem;margin-bottom:.75rem;font-size:.875rem}
nav label{padding:.2rem .7rem;border-radius:1rem;cursor:pointer;color:var(--soft)}
#speak-fr:checked~nav label[for=speak-fr],#speak-en:checked~nav label[for=speak-en]{background:var(--card);color:var(--ink);
box-shadow:0 0 0 1px var(--line)}
#speak-fr:focus-visible~nav label[for=speak-fr],#speak-en:focus-visible~nav label[for=speak-en]{outline:2px solid var(--info)}
header{padding:1.25rem 1.5rem;border-radius:.75rem;border-left:.5rem solid var(--good);background:var(--good-bg)}
.invalid header{border-color:var(--bad);background:var(--bad-bg)}
header h1{color:var(--good)}.invalid header h1{color:var(--bad)}
.sign{font-size:1.4rem}
.notice{margin:0 0 1rem;padding:.75rem 1rem;border-radius:.5rem;border-left:.5rem solid var(--warn);background:var(--warn-bg);
font-weight:600}
.counts{list-style:none;display:flex;flex-wrap:wrap;gap:.5rem;margin:.75rem 0 0;padding:0}
.counts:empty{display:none}
.counts li,.level{display:inline-block;padding:.05rem .6rem;border-radius:1rem;font-size:.8125rem;font-weight:600;white-space:nowrap}
.counts li{background:var(--card)}
.FATAL .level,.counts .FATAL{color:var(--bad)}.ERROR .level,.counts .ERROR,.WARNING .level,.counts .WARNING{color:var(--warn)}
.INFO .level,.counts .INFO{color:var(--info)}
.FATAL .level{background:var(--bad-bg)}.ERROR .level,.WARNING .level{background:var(--warn-bg)}.INFO .level{background:var(--info-bg)}
.facts{display:flex;flex-wrap:wrap;gap:.75rem 2rem;margin:1.25rem 0 0;padding:0 .25rem}
dl div{min-width:0}dt{color:var(--soft);font-size:.8125rem}dd{margin:0;font-weight:600;overflow-wrap:anywhere}
.findings{margin:0;padding:0;list-style:none;display:grid;gap:.6rem}
.findings li{padding:.7rem 1rem;background:var(--card);border-radius:.5rem;border-left:.25rem solid var(--line);break-inside:avoid}
.findings .FATAL{border-color:var(--bad)}.findings .ERROR,.findings .WARNING{border-color:var(--warn)}.findings .INFO{border-color:var(--info)}
.message{margin:0;overflow-wrap:anywhere}.level{margin-right:.35rem}
.origin{margin:.35rem 0 0;color:var(--soft);font-size:.8125rem;overflow-wrap:anywhere}
.details{display:flex;flex-wrap:wrap;gap:.25rem 2rem;margin:.4rem 0 0;font-size:.9375rem}
.details div{display:flex;gap:.5rem;align-items:baseline}.details dt::after{content:"\u00a0:"}[lang=en] .details dt::after{content:":"}
h2,h3{break-after:avoid}
.none{margin-top:1.5rem}.checks{margin:0;padding-left:1.2rem}.overrides{padding-left:1.2rem}
.source{background:var(--card);border-radius:.5rem;padding:.5rem 0;font-size:.8125rem;line-height:1.55;overflow:hidden}
.row{display:flex;padding:0 .75rem 0 0}
.nr{flex:0 0 3.75rem;padding-right:.75rem;text-align:right;color:var(--soft);user-select:none}
.row code{flex:1;min-width:0;white-space:pre-wrap;overflow-wrap:anywhere;font-size:1em}
${Array.from({ length: 12 }, (_, at) => `.d${at + 1}{padding-left:${(at + 1) * 0.9}rem}`).join("")}
.row.FATAL{background:var(--bad-bg)}.row.ERROR,.row.WARNING{background:var(--warn-bg)}.row.INFO{background:var(--info-bg)}
mark{background:none;color:inherit;font-weight:700;text-decoration:underline wavy var(--bad) 1px;text-underline-offset:3px}
.WARNING mark,.ERROR mark{text-decoration-color:var(--warn)}.INFO mark{text-decoration-color:var(--info)}
.note{margin:0;padding:.15rem .75rem .15rem 3.75rem;font-family:system-ui,"Segoe UI",Roboto,Arial,sans-serif;overflow-wrap:anywhere}
.number{color:var(--soft);font-size:.875rem;font-variant-numeric:tabular-nums}
.note:target{outline:2px solid var(--info);outline-offset:-2px}
.note b{display:inline-block;min-width:1.35rem;margin-right:.25rem;text-align:center;border-radius:1rem;color:var(--card);background:var(--info)}
.note.FATAL b{background:var(--bad)}.note.WARNING b,.note.ERROR b{background:var(--warn)}
.note.FATAL{background:var(--bad-bg)}.note.WARNING,.note.ERROR{background:var(--warn-bg)}.note.INFO{background:var(--info-bg)}
.note code{color:var(--soft)}.gap{padding-left:3.75rem;color:var(--soft)}
@media print{:root{--page:#fff;--card:#fff;--ink:#000;--soft:#444;--line:#bbb;--good:#156c3c;--bad:#b3261e;--warn:#8a5a00;--info:#2a5a8c;
--bad-bg:#fdecea;--warn-bg:#fff4dc;--info-bg:#e9f1f9;--good-bg:#e4f4ea}
body{max-width:none;padding:0;font-size:10pt;print-color-adjust:exact;-webkit-print-color-adjust:exact}nav{display:none}
.findings li{box-shadow:0 0 0 1px var(--line)}.row,.note{break-inside:avoid}}
`;
