'use strict';
// Tables: a click on a heading sorts, another one turns the order; #sort=ns_per_op (or #sort=-ns_per_op) in the
// address does the same to every table that has the column.
function sortTable(table, column, descending) {
  const heads = [...table.tHead.rows[0].cells];
  const body = table.tBodies[0];
  const key = (row) => {
    const value = row.cells[column].dataset.v;
    return value === '' ? NaN : isNaN(value) ? value : Number(value);
  };
  const none = (value) => typeof value === 'number' && isNaN(value);
  const compare = (a, b) => {
    if (none(a) || none(b)) return none(a) - none(b);  // what has no number comes last, always
    const order = typeof a === 'number' && typeof b === 'number' ? a - b : String(a) < String(b) ? -1 : String(a) > String(b);
    return descending ? -order : order;
  };
  const rows = [...body.rows].map((row) => [key(row), row]);
  rows.sort((a, b) => compare(a[0], b[0]) || a[1].dataset.n - b[1].dataset.n);
  body.append(...rows.map((entry) => entry[1]));
  heads.forEach((head, i) => {
    if (i === column) head.setAttribute('aria-sort', descending ? 'descending' : 'ascending');
    else head.removeAttribute('aria-sort');
  });
}
for (const table of document.querySelectorAll('table.points')) {
  [...table.tHead.rows[0].cells].forEach((head, column) => {
    head.querySelector('button').addEventListener('click', () => {
      sortTable(table, column, head.getAttribute('aria-sort') === 'ascending');
    });
  });
}
function sortByAddress() {
  const wanted = /^#sort=(-?)(.+)$/.exec(decodeURIComponent(location.hash));
  if (!wanted) return;
  for (const table of document.querySelectorAll('table.points')) {
    const column = [...table.tHead.rows[0].cells].findIndex((head) => head.dataset.key === wanted[2]);
    if (column >= 0) sortTable(table, column, wanted[1] === '-');
  }
}
addEventListener('hashchange', sortByAddress);
sortByAddress();
for (const button of document.querySelectorAll('button.columns')) {
  const wide = document.getElementById(button.getAttribute('aria-controls'));
  const few = (on) => {
    wide.classList.toggle('few', on);
    button.setAttribute('aria-pressed', String(!on));
  };
  few(true);
  button.hidden = false;
  button.addEventListener('click', () => few(!wide.classList.contains('few')));
}

// Figures: what is below the pointer says what it is, at once; all that belongs to one operation stands out.
const tip = document.getElementById('tip');
for (const title of document.querySelectorAll('svg title')) {
  const shape = title.parentNode;
  shape.dataset.tip = title.textContent;
  shape.setAttribute('aria-label', title.textContent);
  title.remove();
}
document.addEventListener('pointermove', (event) => {
  const shape = event.target.closest ? event.target.closest('[data-tip]') : null;
  tip.style.display = shape ? 'block' : 'none';
  if (!shape) return;
  tip.textContent = shape.dataset.tip;
  const box = tip.getBoundingClientRect();
  tip.style.left = Math.max(4, Math.min(event.clientX + 14, innerWidth - box.width - 4)) + 'px';
  tip.style.top = (event.clientY + 18 + box.height > innerHeight ? Math.max(4, event.clientY - box.height - 10) : event.clientY + 18) + 'px';
});
document.addEventListener('pointerover', (event) => {
  const shape = event.target.closest ? event.target.closest('[data-op]') : null;
  for (const svg of document.querySelectorAll('svg.lit')) {
    svg.classList.remove('lit');
    for (const on of svg.querySelectorAll('.on')) on.classList.remove('on');
  }
  if (!shape) return;
  const svg = shape.closest('svg');
  svg.classList.add('lit');
  for (const same of svg.querySelectorAll('[data-op="' + shape.dataset.op + '"]')) same.classList.add('on');
});

// Zoom: the buttons, or the wheel with Ctrl held; then the figure scrolls, or is dragged.
for (const figure of document.querySelectorAll('figure.zoom')) {
  const view = figure.querySelector('.view');
  const svg = view.querySelector('svg');
  const natural = Number(svg.getAttribute('width'));
  let zoom = 0;  // 0: as wide as the page
  const show = (to, at) => {
    const before = svg.getBoundingClientRect();
    const share = at ? (at.clientX - before.left) / before.width : 0.5;
    const down = at ? (at.clientY - before.top) / before.height : 0;
    zoom = to;
    view.classList.toggle('zoomed', zoom > 0);
    svg.style.width = zoom > 0 ? natural * zoom + 'px' : '';
    const now = svg.getBoundingClientRect();
    const box = view.getBoundingClientRect();
    view.scrollLeft = share * now.width - (at ? at.clientX - box.left : box.width / 2);
    view.scrollTop = down * now.height - (at ? at.clientY - box.top : 0);
  };
  const current = () => (zoom > 0 ? zoom : svg.getBoundingClientRect().width / natural);
  const by = (factor, at) => show(Math.min(8, Math.max(0.5, current() * factor)), at);
  const actions = {in: () => by(1.5), out: () => by(1 / 1.5), fit: () => show(0)};
  figure.querySelector('.tools').hidden = false;
  for (const button of figure.querySelectorAll('button[data-zoom]')) button.addEventListener('click', actions[button.dataset.zoom]);
  view.addEventListener('wheel', (event) => {
    if (!event.ctrlKey) return;
    event.preventDefault();
    by(event.deltaY < 0 ? 1.25 : 0.8, event);
  }, {passive: false});
  let grip = null;
  view.addEventListener('pointerdown', (event) => { if (event.button === 0 && zoom > 0) grip = event; });
  addEventListener('pointerup', () => { grip = null; });
  view.addEventListener('pointermove', (event) => {
    if (!grip) return;
    view.scrollLeft += grip.clientX - event.clientX;
    view.scrollTop += grip.clientY - event.clientY;
    grip = event;
  });
}
