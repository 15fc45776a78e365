extension ReportPage {
  /// How the page looks: light and dark, from 320 pixels upwards, and on paper.
  static let style = """
    :root { color-scheme: light; \(lightColours) }
    @media (prefers-color-scheme: dark) {
      :root:not([data-theme="light"]) { color-scheme: dark; \(darkColours) }
    }
    :root[data-theme="dark"] { color-scheme: dark; \(darkColours) }
    \(rules)
    \(mapRules)
    @media print {
      :root, :root:not([data-theme="light"]), :root[data-theme="dark"] { color-scheme: light; \(lightColours) }
    \(paperRules)
    }
    """

  static let lightColours = """
    --ground: #f6f6f4; --card: #ffffff; --well: #f0f0ed; --line: #e0e0da; --edge: #85857b;
    --text: #1d1f22; --quiet: #5c5f63; --accent: #2450c0; --on-accent: #ffffff; --bar: #2f62d9; --bar-2: #8fb0f2;
    --bar-3: #d5dff5; --good: #17713e; --warn: #7d5200; --warn-ground: #fbf0d9; --bad: #a8231b; --bad-ground: #fbe9e7;
    --on-cell: #16181b; --seam: #ffffff; --strip: #e7e7e2;
    --k0: #8db4ee; --k1: #f0b077; --k2: #dba0dc; --k3: #8ecfa3; --k4: #e9d36c; --k5: #b9b3ee; --k6: #ec9a9a;
    --k7: #86cdd3; --k8: #cbb79c; --k9: #c3c6ca;
    --c0: #2f8f5b; --c1: #7fbf7b; --c2: #d4e3a0; --c3: #f3c98b; --c4: #e58a6a; --c5: #c3c6ca;
    """

  static let darkColours = """
    --ground: #131416; --card: #1b1d20; --well: #25282c; --line: #31343a; --edge: #858b95;
    --text: #e8e9ea; --quiet: #a5a9b0; --accent: #9bb8ff; --on-accent: #0d1630; --bar: #7fa3f7; --bar-2: #42609f;
    --bar-3: #2c3a5a; --good: #82d6a4; --warn: #efc777; --warn-ground: #352b14; --bad: #ffa69d; --bad-ground: #3c1d1b;
    --on-cell: #f3f4f5; --seam: #131416; --strip: #2a2d32;
    --k0: #345f9e; --k1: #94571f; --k2: #834886; --k3: #33714a; --k4: #776611; --k5: #5b539c; --k6: #963f42;
    --k7: #23707a; --k8: #6d5b41; --k9: #4c5158;
    --c0: #1f7547; --c1: #3f7f45; --c2: #66702c; --c3: #85602a; --c4: #97452c; --c5: #4c5158;
    """

  static let rules = #"""
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    html { scroll-padding-top: 3.5rem; }
    body {
      margin: 0; background: var(--ground); color: var(--text);
      font: 0.9375rem/1.5 system-ui, -apple-system, "Segoe UI", sans-serif; -webkit-text-size-adjust: 100%;
      font-variant-numeric: tabular-nums;
    }
    h1, h2, h3, p, ul, ol, dl, dd, figure { margin: 0; padding: 0; }
    ul, ol { list-style: none; }
    h1 { font-size: 1.5rem; line-height: 1.25; font-weight: 650; letter-spacing: -0.01em; overflow-wrap: anywhere; }
    h2 { font-size: 1.125rem; font-weight: 650; letter-spacing: -0.005em; }
    h3 { font-size: 0.9375rem; font-weight: 600; margin: 1.25rem 0 0.375rem; }
    a { color: var(--accent); }
    code, .path { font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; font-size: 0.8125rem; }
    .path, .name { overflow-wrap: anywhere; unicode-bidi: isolate; }
    .unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); white-space: nowrap; }
    .skip { position: absolute; left: 0.5rem; top: -4rem; padding: 0.5rem 0.75rem; background: var(--card); border-radius: 0.375rem; z-index: 5; }
    .skip:focus { top: 0.5rem; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    .quiet, .hint { color: var(--quiet); }
    .hint { font-size: 0.8125rem; max-width: 46rem; }

    header, nav.contents, main, footer { max-width: 78rem; margin: 0 auto; padding-left: 1.25rem; padding-right: 1.25rem; }
    header { display: flex; flex-wrap: wrap; gap: 0.75rem 1.5rem; align-items: end; justify-content: space-between; padding-top: 1.75rem; }
    header .kind { font-size: 0.8125rem; color: var(--quiet); }
    .bar { position: sticky; top: 0; z-index: 3; background: var(--ground); border-bottom: 1px solid var(--line); margin-top: 1rem; }
    nav.contents ul { display: flex; flex-wrap: wrap; gap: 0 1.125rem; padding: 0.25rem 0; }
    nav.contents a { display: block; padding: 0.3125rem 0; font-size: 0.875rem; color: var(--quiet); text-decoration: none; }
    nav.contents a:hover { color: var(--text); text-decoration: underline; }
    main { padding-bottom: 2rem; }
    section { padding: 1.75rem 0 0.25rem; min-width: 0; }
    section > h2 { margin-bottom: 0.5rem; }
    section > .hint { margin-bottom: 0.75rem; }
    footer { padding-top: 1rem; padding-bottom: 3rem; color: var(--quiet); font-size: 0.8125rem; border-top: 1px solid var(--line); }

    .totals { display: flex; flex-wrap: wrap; gap: 1px; background: var(--line); border: 1px solid var(--line); border-radius: 0.625rem; overflow: hidden; margin-top: 1.25rem; }
    .totals div { flex: 1 1 9.25rem; background: var(--card); padding: 0.75rem 0.875rem 0.8125rem; display: flex; flex-direction: column; min-width: 0; }
    .totals dt { font-size: 0.8125rem; color: var(--quiet); order: -1; }
    .totals dd { font-size: 1.375rem; line-height: 1.3; font-weight: 600; letter-spacing: -0.015em; }
    .totals .note { font-size: 0.8125rem; font-weight: 400; line-height: 1.35; letter-spacing: 0; color: var(--quiet); }
    .totals .bad { color: var(--bad); }

    .sheet { overflow: auto; max-height: 34rem; background: var(--card); border: 1px solid var(--line); border-radius: 0.625rem; }
    table { border-collapse: collapse; width: 100%; font-size: 0.875rem; }
    caption { text-align: left; }
    th, td { text-align: left; vertical-align: baseline; padding: 0.375rem 0.75rem; border-top: 1px solid var(--line); font-weight: 400; }
    .sheet thead { position: sticky; top: 0; z-index: 1; background: var(--card); box-shadow: 0 1px 0 var(--line); }
    thead th { font-size: 0.8125rem; color: var(--quiet); border-top: 0; white-space: nowrap; vertical-align: bottom; }
    thead td { border-top: 0; }
    tbody th { font-weight: 500; }
    tfoot td, tfoot th { font-weight: 600; border-top: 1px solid var(--edge); }
    .number { text-align: right; white-space: nowrap; }
    .group th { padding-top: 0.875rem; color: var(--quiet); font-weight: 600; font-size: 0.8125rem; }
    .facts { display: block; font-size: 0.8125rem; color: var(--quiet); }
    tbody tr:first-child > * { border-top: 1px solid var(--line); }
    .broad { display: none; }
    @media (min-width: 44rem) { .broad { display: table-cell; } .narrow { display: none; } }

    .costs td.bars { width: 50%; min-width: 6rem; vertical-align: middle; }
    @media (max-width: 43.99rem) { .costs .middle { display: none; } thead th.number { white-space: normal; } .costs td.bars { width: 30%; min-width: 3.5rem; } th, td { padding-left: 0.5rem; padding-right: 0.5rem; } }
    .costs svg { display: block; width: 100%; height: 0.875rem; }
    .s0 { fill: var(--bar); } .s1 { fill: var(--bar-2); } .s2 { fill: var(--bar-3); stroke: var(--edge); stroke-width: 1; vector-effect: non-scaling-stroke; }
    .key { display: flex; flex-wrap: wrap; gap: 0.25rem 1.125rem; font-size: 0.8125rem; color: var(--quiet); margin: 0.5rem 0; }
    .key svg { width: 0.875rem; height: 0.875rem; vertical-align: -0.125rem; margin-right: 0.375rem; }

    .matrix :is(th, td):not(:first-child) { text-align: center; }
    .lacks { color: var(--bad); font-weight: 600; }
    .has { color: var(--good); }
    details { margin-top: 0.125rem; }
    summary { cursor: pointer; border-radius: 0.25rem; }
    details > summary { font-size: 0.8125rem; color: var(--accent); }
    details ul { padding: 0.25rem 0 0.375rem; }
    .copies li { display: flex; gap: 0.75rem; justify-content: space-between; }
    .badge { display: inline-block; font-size: 0.75rem; font-weight: 600; padding: 0 0.4375rem; border-radius: 0.25rem; line-height: 1.5; white-space: nowrap; background: var(--well); color: var(--quiet); }
    .badge.error, .badge.breaking { background: var(--bad-ground); color: var(--bad); }
    .badge.warning, .badge.removed { background: var(--warn-ground); color: var(--warn); }
    .findings li { padding: 0.625rem 0.875rem; border-top: 1px solid var(--line); }
    .findings li:first-child { border-top: 0; }
    .findings p { overflow-wrap: anywhere; }
    .nothing { padding: 0.75rem 0.875rem; color: var(--quiet); }
    .more { padding: 0.5rem 0.75rem; font-size: 0.8125rem; color: var(--quiet); border-top: 1px solid var(--line); }
    .history svg { display: block; width: 100%; height: auto; min-width: 36rem; max-height: 20rem; }
    .history { padding: 0.75rem; }
    .history text { font-size: 11px; fill: var(--quiet); }
    .history .grid { stroke: var(--line); stroke-width: 1; fill: none; }
    .history .line { fill: none; stroke-width: 2; stroke-linejoin: round; }
    .l0 { stroke: var(--bar); } .l1 { stroke: var(--warn); stroke-dasharray: 7 4; } .l2 { stroke: var(--good); stroke-dasharray: 2 4; stroke-linecap: round; }
    .p0 { fill: var(--bar); } .p1 { fill: var(--warn); } .p2 { fill: var(--good); }

    button, input, select { font: inherit; font-size: 0.875rem; color: inherit; border-radius: 0.4375rem; min-height: 2.125rem; border: 1px solid var(--edge); background: var(--card); padding: 0.1875rem 0.625rem; }
    button { cursor: pointer; }
    button:hover { background: var(--well); }
    button:disabled { opacity: 0.55; cursor: default; }
    input, select { min-width: 0; max-width: 100%; }
    input::placeholder { color: var(--quiet); opacity: 1; }
    .choice { display: inline-flex; }
    .choice button { border-radius: 0; margin-left: -1px; white-space: nowrap; }
    .choice button:first-of-type { border-radius: 0.4375rem 0 0 0.4375rem; margin-left: 0; }
    .choice button:last-of-type { border-radius: 0 0.4375rem 0.4375rem 0; }
    .choice button[aria-pressed="true"] { background: var(--accent); border-color: var(--accent); color: var(--on-accent); }
    .choice button:focus-visible { position: relative; z-index: 1; }
    .tools { display: flex; flex-wrap: wrap; gap: 0.5rem 0.75rem; align-items: center; margin-bottom: 0.625rem; }
    .tools .label { font-size: 0.8125rem; color: var(--quiet); margin-right: 0.375rem; }
    .tools input[type="search"] { flex: 1 1 14rem; }
    """#

  static let mapRules = #"""
    #crumbs { display: flex; flex-wrap: wrap; align-items: center; min-height: 2rem; margin-bottom: 0.375rem; }
    #crumbs li { display: flex; align-items: center; min-width: 0; }
    #crumbs li + li::before { content: "/" / ""; color: var(--quiet); padding: 0 0.1875rem; }
    #crumbs button { border: 0; background: none; min-height: 1.75rem; padding: 0 0.25rem; color: var(--accent); max-width: 100%; overflow-wrap: anywhere; text-align: left; }
    #crumbs button[aria-current] { color: var(--text); font-weight: 600; }
    #map { position: relative; height: min(34rem, 68vh); min-height: 20rem; border-radius: 0.5rem; overflow: hidden; background: var(--seam); border: 1px solid var(--line); cursor: pointer; touch-action: manipulation; }
    #map canvas { position: absolute; inset: 0; width: 100%; height: 100%; }
    #mark { pointer-events: none; }
    #where { min-height: 3.125rem; padding: 0.4375rem 0.125rem; font-size: 0.875rem; }
    #where .path { font-weight: 600; }
    #legend { display: flex; flex-wrap: wrap; gap: 0.375rem; }
    #legend button { display: flex; align-items: center; gap: 0.4375rem; font-size: 0.8125rem; min-height: 1.875rem; border-color: var(--line); padding: 0 0.5625rem; }
    #legend button[aria-pressed="true"] { border-color: var(--text); box-shadow: inset 0 0 0 1px var(--text); }
    #legend canvas { width: 1.125rem; height: 1.125rem; border-radius: 0.1875rem; }
    #legend .quiet { font-size: 0.8125rem; }

    #scroller { height: min(36rem, 75vh); overflow-y: auto; overflow-x: hidden; background: var(--card); border: 1px solid var(--line); border-radius: 0.625rem; overflow-anchor: none; }
    #files { table-layout: fixed; border-collapse: separate; border-spacing: 0; }
    #files thead th { position: sticky; top: 0; z-index: 1; background: var(--card); border-bottom: 1px solid var(--edge); padding: 0.1875rem 0.25rem; vertical-align: middle; }
    #files thead button { border: 0; background: none; font-size: 0.8125rem; padding: 0 0.375rem; font-weight: 600; width: 100%; text-align: inherit; white-space: nowrap; overflow: hidden; text-overflow: clip; }
    #files th[aria-sort="ascending"] button::after { content: " ↑" / ""; }
    #files th[aria-sort="descending"] button::after { content: " ↓" / ""; }
    #files tbody th, #files td { height: 2rem; padding: 0 0.625rem; border-top: 0; border-bottom: 1px solid var(--line); overflow: hidden; text-overflow: ellipsis; white-space: nowrap; vertical-align: middle; }
    #files tbody th { font-weight: 400; }
    #files .gap td { padding: 0; border: 0; height: 0; }
    #files .col-name { width: 66%; } #files .col-number { width: 34%; } #files .col-extra, #files .col-pack { display: none; }
    #files bdi { unicode-bidi: isolate; }
    #files .extra { display: none; }
    #files .ratio { color: var(--quiet); }
    #files .marked > * { background: var(--warn-ground); }
    @media (min-width: 44rem) {
      #files .extra { display: table-cell; }
      #files .col-extra, #files .col-pack { display: table-column; }
      #files .col-name { width: auto; } #files .col-pack { width: 16%; } #files .col-extra { width: 11%; } #files .col-number { width: 11%; }
    }
    """#

  static let paperRules = #"""
      body { font-size: 9.5pt; background: #ffffff; }
      .bar, .tools, .choice, .skip, #files-section, #crumbs button:not([aria-current]), noscript { display: none !important; }
      main, header, footer { max-width: none; padding-left: 0; padding-right: 0; }
      section { break-inside: auto; padding-top: 1rem; }
      h2, h3, thead { break-after: avoid; }
      tr, li, .totals div { break-inside: avoid; }
      .sheet { overflow: visible; max-height: none; border-radius: 0; }
      .sheet thead { position: static; }
      #map { height: 9cm; break-inside: avoid; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      #where { display: none; }
      .costs svg, .key svg, .history svg, #legend canvas, .badge { print-color-adjust: exact; -webkit-print-color-adjust: exact; }
      #legend button { border: 0; padding: 0 0.5rem 0 0; }
    """#
}
