/*
 * The service worker: caches the page's hashed files, which never change, and shows a page of our
 * own while the server is away. It caches nothing of the games.
 */
const CACHE = 'souk-1';
const OFFLINE_FILES = ['/offline.html', '/offline.css', '/offline.js', '/icon.svg'];
const MAX_FILES = 150; // the oldest are deleted

self.addEventListener('install', (event) => {
  event.waitUntil(caches.open(CACHE).then((cache) => cache.addAll(OFFLINE_FILES)));
  self.skipWaiting();
});

self.addEventListener('activate', (event) => {
  event.waitUntil(
    caches
      .keys()
      .then((names) => Promise.all(names.filter((name) => name !== CACHE).map((name) => caches.delete(name))))
      .then(() => self.clients.claim()),
  );
});

self.addEventListener('fetch', (event) => {
  const { request } = event;
  const url = new URL(request.url);
  if (request.method !== 'GET' || url.origin !== location.origin || url.pathname.startsWith('/api')) return;
  if (request.mode === 'navigate') event.respondWith(pageOrOffline(request));
  else if (url.pathname.startsWith('/assets/')) event.respondWith(cachedOrFetched(request, event));
  else if (OFFLINE_FILES.includes(url.pathname)) event.respondWith(fetch(request).catch(() => caches.match(request)));
});

async function pageOrOffline(request) {
  try {
    const response = await fetch(request);
    if (response.status < 502 || response.status > 504) return response; // else a proxy says that the server is away
  } catch {
    // no response at all
  }
  return caches.match('/offline.html');
}

async function cachedOrFetched(request, event) {
  const cache = await caches.open(CACHE);
  const cached = await cache.match(request);
  if (cached) return cached;
  const response = await fetch(request);
  if (response.ok) event.waitUntil(store(cache, request, response.clone()));
  return response;
}

async function store(cache, request, response) {
  await cache.put(request, response);
  const assets = (await cache.keys()).filter(({ url }) => new URL(url).pathname.startsWith('/assets/'));
  await Promise.all(assets.slice(0, Math.max(0, assets.length - MAX_FILES)).map((asset) => cache.delete(asset)));
}
