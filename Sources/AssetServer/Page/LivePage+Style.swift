extension LivePage {
  /// How the page looks: light and dark, from 320 pixels upwards.
  static let style = #"""
    :root {
      color-scheme: light dark;
      --ground: #f5f6f8; --card: #ffffff; --well: #f0f2f5; --line: #dde1e7; --edge: #7d8896;
      --text: #1a212b; --quiet: #555f6d; --accent: #2c53c8; --on-accent: #ffffff;
      --good: #17713e; --good-ground: #e4f3ea; --warn: #7d5200; --warn-ground: #fbf0d9;
      --bad: #a8231b; --bad-ground: #fbe9e7; --busy: #2c53c8; --busy-ground: #e6ecfb;
    }
    @media (prefers-color-scheme: dark) {
      :root {
        --ground: #10141a; --card: #191f27; --well: #212934; --line: #2d3643; --edge: #7a8698;
        --text: #e7ebf1; --quiet: #a3aebc; --accent: #93b1ff; --on-accent: #0c1526;
        --good: #7fd6a3; --good-ground: #17311f; --warn: #f0c877; --warn-ground: #362b12;
        --bad: #ffa49b; --bad-ground: #3d1c1a; --busy: #93b1ff; --busy-ground: #1d2a49;
      }
    }
    * { box-sizing: border-box; }
    [hidden] { display: none !important; }
    body {
      margin: 0; background: var(--ground); color: var(--text);
      font: 0.9375rem/1.45 system-ui, sans-serif; -webkit-text-size-adjust: 100%;
    }
    code, output, .name, .what, .path, .query, .facts, #log .about { overflow-wrap: anywhere; unicode-bidi: isolate; }
    code, output, .mono { font-family: ui-monospace, "SF Mono", "DejaVu Sans Mono", monospace; font-size: 0.92em; }
    a { color: var(--accent); }
    h1, h2, h3, h4, p, ul, ol { margin: 0; padding: 0; }
    h1 { font-size: 1.0625rem; font-weight: 650; }
    h2 { font-size: 1rem; font-weight: 650; }
    h3, h4 { font-size: 0.8125rem; font-weight: 600; color: var(--quiet); margin-top: 1.125rem; }
    ul, ol { list-style: none; }
    .unseen {
      position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%);
      white-space: nowrap;
    }
    .skip { position: absolute; left: 0.5rem; top: -4rem; padding: 0.5rem 0.75rem; background: var(--card); border-radius: 0.5rem; z-index: 2; }
    .skip:focus { top: 0.5rem; }
    :focus-visible { outline: 2px solid var(--accent); outline-offset: 2px; }
    #requests:focus { outline: none; }

    header {
      display: flex; flex-wrap: wrap; align-items: center; gap: 0.5rem 0.75rem;
      max-width: 84rem; margin: 0 auto; padding: 1rem 1.25rem 0.25rem; min-height: 3.5rem;
    }
    #alerts { display: flex; flex-wrap: wrap; gap: 0.375rem; margin-left: auto; }
    .pill { font-size: 0.8125rem; padding: 0.125rem 0.625rem; border-radius: 1rem; white-space: nowrap; }
    .pill, .pill.quiet { color: var(--quiet); background: var(--well); }
    .pill.good { color: var(--good); background: var(--good-ground); }
    .pill.warn { color: var(--warn); background: var(--warn-ground); }
    .pill.bad { color: var(--bad); background: var(--bad-ground); }
    .notice { max-width: 81.5rem; margin: 0.5rem auto; padding: 0.75rem 1.25rem; color: var(--quiet); }
    .caution { width: calc(100% - 2.5rem); max-width: 81.5rem; margin: 0.5rem auto; padding: 0.75rem 1.25rem; color: var(--text); background: var(--bad-ground); border-radius: 0.5rem; }
    .caution a { color: inherit; }

    main {
      display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem;
      max-width: 84rem; margin: 0 auto; padding: 0.75rem 1.25rem 2.5rem;
    }
    .side, .wide { display: grid; grid-template-columns: minmax(0, 1fr); gap: 1rem; align-content: start; }
    section { background: var(--card); border: 1px solid var(--line); border-radius: 0.75rem; padding: 1rem 1.125rem 1.125rem; min-width: 0; }
    @media (min-width: 40rem) {
      .side { grid-template-columns: repeat(auto-fit, minmax(17rem, 1fr)); }
    }
    @media (min-width: 60rem) {
      .side { grid-template-columns: minmax(0, 1fr); }
      main { grid-template-columns: 21rem minmax(0, 1fr); }
    }
    .hint, .empty, .sum { color: var(--quiet); font-size: 0.8125rem; }
    .hint { margin-top: 0.25rem; }
    .empty { padding: 0.5rem 0; }
    .head { display: flex; flex-wrap: wrap; align-items: center; justify-content: space-between; gap: 0.5rem 1rem; margin-bottom: 0.5rem; min-height: 1.75rem; }
    .mark { width: 1.5rem; height: 1.5rem; vertical-align: -0.375rem; margin-right: 0.5rem; }
    .mark rect { fill: var(--accent); }
    .mark path { fill: none; stroke: var(--on-accent); stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; }

    .address { display: flex; align-items: center; gap: 0.5rem; margin-top: 0.25rem; }
    .address code { font-size: 0.9375rem; }
    .address button { margin-left: auto; flex: none; }
    .code { display: block; width: 11rem; max-width: 100%; border-radius: 0.5rem; margin: 0.5rem 0 0.25rem; border: 1px solid var(--line); }
    .digest code { display: block; }
    #packs th { min-width: 8rem; }
    .digest { margin-top: 0.25rem; font-size: 0.8125rem; line-height: 1.6; }

    button, input, select { font: inherit; color: inherit; border-radius: 0.5rem; min-height: 2.25rem; }
    button {
      border: 1px solid var(--edge); background: var(--card); padding: 0.25rem 0.75rem; cursor: pointer;
      font-weight: 500; white-space: nowrap;
    }
    button:hover { background: var(--well); }
    button.small { min-height: 1.75rem; padding: 0 0.625rem; font-size: 0.8125rem; }
    button.strong { background: var(--accent); border-color: var(--accent); color: var(--on-accent); font-weight: 600; }
    button.strong:hover { filter: brightness(1.08); }
    button[aria-pressed="true"] { background: var(--warn-ground); color: var(--warn); border-color: currentColor; }
    button:disabled { opacity: 0.55; cursor: default; }
    input:not([type="checkbox"]), select { border: 1px solid var(--edge); background: var(--card); padding: 0.25rem 0.625rem; min-width: 0; width: 100%; }
    input::placeholder { color: var(--quiet); opacity: 1; }
    .field { display: grid; grid-template-columns: 4.75rem minmax(0, 1fr) auto; align-items: center; gap: 0.5rem; margin-top: 0.5rem; }
    .field label { color: var(--quiet); font-size: 0.875rem; }
    #fault-form .field { grid-template-columns: 4.5rem minmax(0, 1fr); }
    .field + .hint { margin-left: 5rem; }
    .switch { display: flex; align-items: center; justify-content: space-between; gap: 1rem; margin-top: 0.75rem; cursor: pointer; font-weight: 550; }
    .switch small { display: block; font-weight: 400; color: var(--quiet); font-size: 0.8125rem; }
    .switch input {
      appearance: none; flex: none; margin: 0; width: 2.875rem; height: 1.625rem; min-height: 0; border-radius: 1rem;
      background: var(--edge); position: relative; cursor: pointer; border: 0;
    }
    .switch input::after {
      content: ""; position: absolute; top: 0.1875rem; left: 0.1875rem; width: 1.25rem; height: 1.25rem;
      border-radius: 50%; background: #ffffff;
    }
    .switch input:checked { background: var(--bad); }
    .switch input:checked::after { left: auto; right: 0.1875rem; background: var(--card); }
    #faults li { display: flex; align-items: center; gap: 0.5rem; padding: 0.5rem 0; border-bottom: 1px solid var(--line); }
    #faults li > span { flex: 1; min-width: 0; }
    #faults small { display: block; color: var(--quiet); font-size: 0.8125rem; }
    #fault-form { margin-top: 0.75rem; padding: 0.125rem 0.875rem 0.875rem; background: var(--well); border-radius: 0.625rem; }
    #fault-form h4 { margin-top: 0.625rem; }
    .preview { display: flex; align-items: center; gap: 0.75rem; margin-top: 0.75rem; }
    .preview output { flex: 1; min-width: 0; }
    .refusal:not(:empty) { margin-top: 0.75rem; padding: 0.5rem 0.75rem; border-radius: 0.5rem; color: var(--bad); background: var(--bad-ground); font-size: 0.875rem; overflow-wrap: anywhere; }

    #requests { scroll-margin-top: 1rem; }
    .tools { display: flex; gap: 0.5rem; }
    .tools input { min-height: 1.75rem; height: 1.75rem; width: 11rem; font-size: 0.8125rem; }
    #log { max-height: min(38rem, 75vh); overflow-y: auto; margin: 0 -0.5rem; padding: 0 0.5rem; }
    #log li:first-child { border-top: 0; }
    #log li { display: grid; grid-template-columns: 5.5rem minmax(0, 1fr) auto; gap: 0 0.75rem; padding: 0.5rem 0; border-top: 1px solid var(--line); align-items: baseline; }
    #log .badge { justify-self: start; font-size: 0.8125rem; padding: 0 0.5rem; border-radius: 0.375rem; font-variant-numeric: tabular-nums; white-space: nowrap; color: var(--quiet); background: var(--well); }
    #log .badge.good { color: var(--good); background: var(--good-ground); }
    #log .badge.warn { color: var(--warn); background: var(--warn-ground); }
    #log .badge.bad { color: var(--bad); background: var(--bad-ground); }
    #log .badge.busy { color: var(--busy); background: var(--busy-ground); }
    #log .what { font-weight: 550; }
    #log .method { color: var(--quiet); font-weight: 400; }
    #log .query { color: var(--quiet); font-weight: 400; }
    #log .amount { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    #log .about { grid-column: 2; color: var(--quiet); font-size: 0.8125rem; }
    #log .pace { color: var(--quiet); font-size: 0.8125rem; text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    #log .fault { color: var(--bad); }
    #log .remark { color: var(--warn); }
    progress {
      grid-column: 2 / -1; width: 100%; height: 0.3125rem; margin: 0.3125rem 0 0.1875rem; border: 0; border-radius: 0.25rem;
      appearance: none; background: var(--line); overflow: hidden; color: var(--busy);
    }
    progress::-webkit-progress-bar { background: var(--line); }
    progress::-webkit-progress-value { background: var(--busy); }
    progress::-moz-progress-bar { background: var(--busy); }

    table { width: 100%; border-collapse: collapse; }
    th, td { text-align: left; padding: 0.5rem 0 0.5rem 0.75rem; border-top: 1px solid var(--line); vertical-align: baseline; font-weight: 400; }
    th:first-child { padding-left: 0; }
    thead th { border-top: 0; color: var(--quiet); font-size: 0.8125rem; padding-top: 0; padding-bottom: 0.25rem; }
    .number { text-align: right; font-variant-numeric: tabular-nums; white-space: nowrap; }
    .name { display: block; font-weight: 550; }
    .facts { display: block; color: var(--quiet); font-size: 0.8125rem; }
    .narrow { display: none; }
    td .small { margin: -0.125rem 0 -0.125rem 0.5rem; }

    @media (max-width: 40rem) {
      header { padding: 0.75rem 0.75rem 0; }
      #alerts { margin-left: 0; }
      main { padding: 0.5rem 0.75rem 2rem; gap: 0.75rem; }
      .side, .wide { gap: 0.75rem; }
      section { padding: 0.875rem; }
      button, button.small, .tools input { min-height: 2.5rem; height: auto; }
      .tools { width: 100%; }
      .tools input { flex: 1; font-size: 1rem; }
      input, select { font-size: 1rem; min-height: 2.5rem; }
      .switch input { min-height: 0; }
      #log li { grid-template-columns: minmax(0, 1fr) auto; }
      #log .badge { grid-column: 1; grid-row: 1; }
      #log .amount { grid-row: 1; }
      #log .what, #log .about, progress { grid-column: 1 / -1; }
      #log .pace { grid-column: 1 / -1; text-align: left; }
      .code { width: 14rem; }
      .broad { display: none; }
      .narrow { display: block; }
      td .small { display: block; margin: 0.25rem 0 0 auto; }
    }
    @media (prefers-reduced-motion: no-preference) {
      .switch input::after { transition: background 0.15s; }
      .fresh { animation: fresh 1.2s ease-out; }
      @keyframes fresh { from { background: var(--busy-ground); } }
    }
    @media (forced-colors: active) {
      progress { appearance: auto; height: 0.75rem; }
      .switch input { border: 1px solid; forced-color-adjust: none; background: GrayText; }
      .switch input:checked { background: Highlight; }
    }
    @media print { .side section:nth-child(2), .tools { display: none; } }
    """#
}
