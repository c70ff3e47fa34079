/*
 * A small helper that stays when the server is away: it keeps the page's hashed files, which never
 * change, and shows a friendly page in place of the browser's. It never keeps anything of a game.
 */
const KEPT = 'souk-1';
const AWAY = ['/offline.html', '/offline.css', '/offline.js', '/icon.svg'];
const MOST = 150; // files of older versions go

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(KEPT).then((kept) => kept.addAll(AWAY)));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== KEPT).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api')) return;
  if (request.mode === 'navigate') event.respondWith(pageOrAway(request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(keptOrNew(request, event));
  else if (AWAY.includes(url.pathname)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});

async function pageOrAway(request) {
  try {
    const answer = await fetch(request);
    if (answer.status < 502 || answer.status > 504) return answer; // a proxy answers for a server that is away
  } catch {
    // no answer at all
  }
  return caches.match('/offline.html');
}

async function keptOrNew(request, event) {
  const kept = await caches.open(KEPT);
  const found = await kept.match(request);
  if (found) return found;
  const answer = await fetch(request);
  if (answer.ok) event.waitUntil(keep(kept, request, answer.clone()));
  return answer;
}

async function keep(kept, request, answer) {
  await kept.put(request, answer);
  const all = (await kept.keys()).filter((one) => new URL(one.url).pathname.startsWith('/assets/'));
  await Promise.all(all.slice(0, Math.max(0, all.length - MOST)).map((one) => kept.delete(one)));
}
