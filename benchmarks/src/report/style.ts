import { DARK, LIGHT, declarations } from './palette.ts'

/**
 * The page's style: light or dark as the reader has it, one column on a phone, and
 * tables that are scrolled within their own box
 */
export const STYLE = `
:root{color-scheme:light dark;${declarations(LIGHT)}}
@media (prefers-color-scheme:dark){:root{${declarations(DARK)}}}
*{box-sizing:border-box}
body{margin:0;background:var(--paper);color:var(--ink);font:16px/1.55 system-ui,sans-serif;overflow-wrap:break-word}
main{max-width:76rem;margin:0 auto;padding:1rem}
h1{font-size:1.8rem;line-height:1.2;margin:1rem 0 .5rem}
h2{font-size:1.4rem;line-height:1.25;margin:3rem 0 .25rem;padding-top:1rem;border-top:1px solid var(--grid)}
h3{font-size:1.15rem;margin:2rem 0 .25rem}
h4{font-size:1rem;margin:0 0 .25rem}
p,ul,dl{margin:.5rem 0;max-width:48rem}
a{color:var(--series-1)}
nav ul{display:flex;flex-wrap:wrap;gap:.25rem 1rem;list-style:none;padding:0}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,26rem),1fr));gap:1rem;margin:1rem 0}
figure{margin:0;padding:1rem;background:var(--card);border:1px solid var(--grid);border-radius:.5rem;min-width:0}
figcaption p{margin:.25rem 0}
.basis,.soft,dl{color:var(--soft);font-size:.875rem}
.chart{display:block;width:100%;max-width:34rem;height:auto;margin:.5rem 0;font-family:system-ui,sans-serif}
dl{display:grid;grid-template-columns:max-content 1fr;gap:0 .75rem}
dt{font-weight:600}
dd{margin:0;min-width:0}
.scroll{overflow-x:auto;max-width:100%;background:var(--card);border:1px solid var(--grid);border-radius:.5rem;margin:.5rem 0}
.scroll:focus-visible{outline:2px solid var(--series-1)}
table{border-collapse:collapse;font-size:.875rem;font-variant-numeric:tabular-nums;width:100%}
th,td{padding:.3rem .6rem;text-align:left;white-space:nowrap;border-bottom:1px solid var(--grid)}
td{white-space:normal;min-width:6.5rem}
tr:last-child td{border-bottom:0}
th{color:var(--soft);font-weight:600}
.right{text-align:right;white-space:nowrap;min-width:0}
th[colspan]{padding-top:.8rem}
.summary td:last-child{min-width:0}
details>summary{cursor:pointer;color:var(--soft);font-size:.875rem}
.warning{border-left:.25rem solid var(--series-2);padding:.25rem .75rem;background:var(--card)}
@media (max-width:30rem){main{padding:.75rem}.summary table{font-size:.75rem}.summary :is(th,td){padding-inline:.3rem;white-space:normal}figure{padding:.75rem}dl{grid-template-columns:1fr}dd{margin-bottom:.35rem}}
@media print{.charts{display:block}figure{break-inside:avoid;margin-bottom:1rem}}
`.trim().replaceAll('\n', '')
