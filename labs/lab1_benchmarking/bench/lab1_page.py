"""The report as one HTML file: needs no network, shows values under the pointer, and prints on paper."""
import html
import json
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from lab1_answers import BANDWIDTH_GBS, INTENSITY, PEAK_GFLOPS
from lab1_charts import HIGH, LOW, NAMES, line, small
from lab1_series import Point, Product, Roof

STYLE = """body{font:15px/1.5 system-ui,sans-serif;max-width:60rem;margin:2rem auto;padding:0 1rem;color:#111}
svg{width:100%;height:auto}section,.wide{overflow-x:auto}
table{margin-bottom:1rem;border-collapse:collapse}
td,th{padding:.2rem .7rem;text-align:right;border-bottom:1px solid #ccc}
td:first-child,th:first-child{text-align:left}text{font-size:12px}
.tip{position:fixed;background:#111;color:#fff;padding:.2rem .5rem;
border-radius:.3rem;font-size:13px;pointer-events:none;display:none}circle{cursor:pointer}
@media print{body{max-width:none;margin:0;padding:0;font-size:10pt}section,.wide{overflow:visible}svg{max-height:8.4cm}.drawn svg{max-height:7.4cm}.screen{display:none}section{break-inside:avoid}
@page{margin:18mm}}"""

SCRIPT = """for(const figure of JSON.parse(document.getElementById('data').textContent)){draw(figure)}
function draw(f){const narrow=innerWidth<600,W=narrow?430:860,H=narrow?390:430,L=narrow?48:60,R=20,T=15,B=45,ns='http://www.w3.org/2000/svg';
const svg=document.getElementById(f.id);svg.setAttribute('viewBox',`0 0 ${W} ${H}`);
const log=Math.log2,x=v=>L+(log(v)-log(f.x[0]))/(log(f.x[1])-log(f.x[0]))*(W-L-R);
const y=v=>H-B-(log(v)-log(f.y[0]))/(log(f.y[1])-log(f.y[0]))*(H-T-B);
const add=(name,a,text)=>{const e=document.createElementNS(ns,name);for(const k in a)e.setAttribute(k,a[k]);
if(text!==undefined)e.textContent=text;svg.appendChild(e);return e};
for(let p=Math.ceil(log(f.x[0]));p<=log(f.x[1]);p+=narrow?2*f.step:f.step){
add('line',{x1:x(2**p),x2:x(2**p),y1:T,y2:H-B,stroke:'#ddd'});
add('text',{x:x(2**p),y:H-B+16,'text-anchor':'middle'},label(2**p,f.bytes))}
const between=f.y[1]/f.y[0]<1000?[1,2,5]:[1];
for(let p=Math.floor(Math.log10(f.y[0]));p<=Math.log10(f.y[1]);p++)for(const k of between){const v=+(k*10**p).toPrecision(2);
if(v<f.y[0]||v>f.y[1])continue;add('line',{x1:L,x2:W-R,y1:y(v),y2:y(v),stroke:'#ddd'});
add('text',{x:L-6,y:y(v)+4,'text-anchor':'end'},v)}
add('text',{x:(L+W-R)/2,y:H-6,'text-anchor':'middle'},f.xlabel);
add('text',{x:14,y:H/2,'text-anchor':'middle',transform:`rotate(-90 14 ${H/2})`},f.ylabel);
for(const s of f.lines)add('polyline',{points:s.at.map(p=>x(p[0])+','+y(p[1])).join(' '),fill:'none',stroke:s.color,
'stroke-width':2,'stroke-dasharray':s.dash||''});
for(const p of f.points){const c=add('circle',{cx:x(p.at[0]),cy:y(p.at[1]),r:5,fill:p.hollow?'#fff':p.color,stroke:p.color,'stroke-width':2,tabindex:0});
add('title',{},p.text);c.appendChild(svg.lastChild);
c.onmousemove=c.onfocus=e=>{const t=document.getElementById('tip');t.textContent=p.text;t.style.display='block';
t.style.left=(e.clientX||100)+12+'px';t.style.top=(e.clientY||100)+12+'px'};
c.onmouseleave=c.onblur=()=>document.getElementById('tip').style.display='none'}}
function label(v,bytes){if(!bytes)return v>=1?v:'1/'+1/v;for(const u of ['B','kB','MB','GB']){if(v<1000||u=='GB')return +v.toPrecision(3)+' '+u;v/=1000}}"""
LOOSE = "<p>Rings: inconclusive, the machine was too busy to know the median within two percent.</p>"
COLORS = ("#1f77b4", "#d62728", "#2ca02c", "#9467bd", "#ff7f0e", "#17becf")


def roofline_figure(points: Sequence[Point], products: Sequence[Product], roof: Roof) -> dict[str, Any]:
    roofs = ((PEAK_GFLOPS, BANDWIDTH_GBS, "#888", "6 4"), (roof.peak, roof.memory, "#111", ""),
             (roof.peak, roof.cache, "#111", "2 3"))
    rates = [point.gflops for point in (*points, *products)]
    return {"id": "roofline", "x": [LOW, HIGH], "y": [min(rates) / 3, max(PEAK_GFLOPS, roof.peak) * 2], "step": 1,
            "xlabel": "arithmetic intensity (FLOP/byte)", "ylabel": "GFLOP/s",
            "lines": [{"at": list(zip(*line(peak, bandwidth))), "color": color, "dash": dash}
                      for peak, bandwidth, color, dash in roofs],
            "points": [{"at": [INTENSITY, point.gflops], "color": COLORS[int(point.exercise[1]) - 1],
                        "hollow": small(point, points),
                        "text": f"{NAMES[point.exercise]}, N = {point.n}: {point.gflops:.4g} GFLOP/s, "
                                f"{point.printed.b:.4g} GB/s"} for point in points]
            + [{"at": [product.intensity, product.gflops], "color": COLORS[5],
                "text": f"matrices, {product.name}, n = {product.n}: {product.gflops:.4g} GFLOP/s, "
                        f"{product.intensity:.3g} FLOP/byte"} for product in products]}


def ladder_figure(roof: Roof) -> dict[str, Any]:
    steps = [step for kernel in roof.ladder.values() for step in kernel]
    rates = [rate for _, rate in steps]
    found = {"id": "ladder", "x": [min(size for size, _ in steps), max(size for size, _ in steps)], "step": 2,
             "y": [min(rates) / 2, max(rates) * 2], "bytes": True, "xlabel": "bytes of all arrays", "ylabel": "GB/s",
             "lines": [], "points": []}
    for (kernel, ladder), color in zip(roof.ladder.items(), COLORS):
        found["lines"].append({"at": ladder, "color": color})
        for size, rate in ladder:
            loose = (kernel, size) in roof.loose
            found["points"].append({"at": [size, rate], "color": color, "hollow": loose, "text":
                                    f"{kernel}, {size} bytes: {rate:.4g} GB/s{', inconclusive' if loose else ''}"})
    return found


def table(rows: Sequence[Sequence[str]]) -> str:
    head, *body = rows
    lines = ["<tr>" + "".join(f"<th>{html.escape(cell)}</th>" for cell in head) + "</tr>"]
    lines += ["<tr>" + "".join(f"<td>{html.escape(cell)}</td>" for cell in row) + "</tr>" for row in body]
    return "<table>" + "".join(lines) + "</table>"


def inline(chart: Path) -> str:
    """A drawing as part of the page: without its XML head, and with names that no other drawing has."""
    text = chart.read_text(encoding="utf-8")
    for start in ('id="', 'href="#', "url(#"):
        text = text.replace(start, f"{start}{chart.stem}-")
    return text[text.index("<svg"):]


def legend(lines: Sequence[tuple[str, str]]) -> str:
    """What the colours of the marks mean; printed as well."""
    return '<p class="legend">' + "".join(f'<span style="color:{color}">&#9679;</span> {html.escape(name)} &ensp;'
                                          for name, color in lines) + "</p>"


def write(path: Path, tables: Sequence[Sequence[Sequence[str]]], measured: tuple[Sequence[Point], Sequence[Product]],
          roof: Roof, says: Sequence[str], charts: Sequence[Path] = ()) -> Path:
    figures = json.dumps([roofline_figure(*measured, roof), ladder_figure(roof)]).replace("</", "<\\/")
    facts = "".join(f"<li>{html.escape(line)}</li>" for line in says)
    shown = "".join(f'<div class="wide">{table(rows)}</div>' for rows in tables if rows)
    drawn = "".join(f'<section class="drawn">{inline(chart)}</section>' for chart in charts)
    marks = legend([*zip(NAMES.values(), COLORS), *([("matrices", COLORS[5])] if measured[1] else [])])
    path.write_text(f"""<!doctype html><html lang="en"><meta charset="utf-8"><title>Lab 1: measured roofline</title>
<meta name="viewport" content="width=device-width"><style>{STYLE}</style>
<h1>Lab 1: the dot product on this machine's roofline</h1><ul>{facts}</ul>
<section><h2>Measured</h2>{shown}</section>
<section><h2>Roofline</h2><svg id="roofline" role="img" aria-label="roofline"></svg>{marks}
<p>Dashed: the machine of Q2. Solid: this machine's memory. Dotted: its nearest cache. Rings: the smaller N.
<span class="screen">Point at a mark for its values.</span></p></section>
<section><h2>Bandwidth ladder</h2><svg id="ladder" role="img" aria-label="bandwidth over size"></svg>
{legend(list(zip(roof.ladder, COLORS)))}{LOOSE if roof.loose else ""}</section>{drawn}
<div id="tip" class="tip"></div><script type="application/json" id="data">{figures}</script><script>{SCRIPT}</script></html>
""", encoding="utf-8")
    return path
