/** The help in the browser: search, the menu on a phone, and a button that copies code. It loads nothing but the search index beside it. */

const root = document.body.dataset.root;
const field = document.getElementById('search');
const list = document.getElementById('found');
const mostFound = 12;

/** Loaded when somebody searches for the first time. */
let index;
const loadIndex = () => {
  index ??= fetch(`${root}search.json`)
    .then((answer) => answer.json())
    .then((entries) =>
      entries.map(([address, page, heading, anchor, text]) => ({
        address,
        page,
        heading,
        anchor,
        text,
        inPage: page.toLowerCase(),
        inHeading: heading.toLowerCase(),
        inText: text.toLowerCase(),
      })),
    )
    .catch(() => {
      index = undefined;
      return [];
    });
  return index;
};

/** Every word must be there; one in a heading counts most, and a whole word more than the beginning of one. */
function search(entries, question) {
  const words = question.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [];
  const scoreOf = (entry) => {
    let score = 0;
    for (const word of words) {
      const of = (text, weight) => {
        const at = text.indexOf(word);
        if (at < 0) return 0;
        const begins = at === 0 || !/[\p{L}\p{N}_]/u.test(text[at - 1]);
        return weight * (begins ? 2 : 1);
      };
      const found = of(entry.inHeading, 20) + of(entry.inPage, 10) + of(entry.inText, 1);
      if (found === 0) return 0;
      score += found;
    }
    return entry.address.startsWith('decisions/') ? score / 3 : score;
  };
  return entries
    .map((entry) => ({ entry, score: scoreOf(entry) }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
    .slice(0, mostFound)
    .map(({ entry }) => ({ ...entry, excerpt: excerptOf(entry, words[0]) }));
}

function excerptOf({ text, inText }, word) {
  const at = Math.max(0, inText.indexOf(word) - 50);
  const part = text.slice(at, at + 150);
  return `${at > 0 ? '…' : ''}${part}${at + 150 < text.length ? '…' : ''}`;
}

function show(found, question) {
  list.replaceChildren(
    ...found.map(({ address, page, heading, anchor, excerpt }) => {
      const link = document.createElement('a');
      link.className = 'hit';
      link.href = `${root}${address}${anchor && `#${anchor}`}` || './';
      const title = document.createElement('b');
      title.textContent = heading === page ? page : `${page} › ${heading}`;
      const about = document.createElement('span');
      about.textContent = excerpt;
      link.append(title, about);
      const item = document.createElement('li');
      item.append(link);
      return item;
    }),
  );
  if (found.length === 0) {
    const none = document.createElement('p');
    none.textContent = `Nothing found for “${question}”.`;
    const item = document.createElement('li');
    item.append(none);
    list.append(item);
  }
  list.hidden = question === '';
}

const close = () => {
  list.hidden = true;
};
field.addEventListener('focus', loadIndex);
field.addEventListener('input', async () => {
  const question = field.value.trim();
  const entries = await loadIndex();
  if (question === field.value.trim()) show(search(entries, question), question);
});
field.addEventListener('keydown', (event) => {
  if (event.key === 'Enter') list.querySelector('a')?.click();
  if (event.key === 'ArrowDown') list.querySelector('a')?.focus();
});
list.addEventListener('keydown', (event) => {
  const step = { ArrowDown: 'nextElementSibling', ArrowUp: 'previousElementSibling' }[event.key];
  if (!step) return;
  event.preventDefault();
  const next = document.activeElement.closest('li')?.[step]?.querySelector('a');
  (next ?? (event.key === 'ArrowUp' ? field : undefined))?.focus();
});
document.addEventListener('keydown', (event) => {
  const isTyping = /^(input|textarea|select)$/i.test(document.activeElement?.tagName ?? '');
  if (event.key === '/' && !isTyping) {
    event.preventDefault();
    field.focus();
  }
  if (event.key === 'Escape') close();
});
document.addEventListener('click', (event) => {
  if (!event.target.closest('.search')) close();
});

const menu = document.getElementById('menu');
const button = document.querySelector('.menu-button');
button.addEventListener('click', () => {
  button.setAttribute('aria-expanded', String(menu.classList.toggle('open')));
});
menu.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' });

for (const block of document.querySelectorAll('pre')) {
  if (!navigator.clipboard) break;
  const copy = document.createElement('button');
  copy.type = 'button';
  copy.className = 'copy';
  copy.textContent = 'Copy';
  copy.addEventListener('click', async () => {
    await navigator.clipboard.writeText(block.querySelector('code').textContent);
    copy.textContent = 'Copied';
    setTimeout(() => {
      copy.textContent = 'Copy';
    }, 2000);
  });
  block.append(copy);
}
