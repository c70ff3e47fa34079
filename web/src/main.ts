import './fonts.css';
import './app.css';
import { mount } from 'svelte';
import App from './App.svelte';
import { texts } from './lib/texts.svelte';

const target = document.getElementById('app');
if (target) {
  await texts.ready;
  mount(App, { target });
}

if (import.meta.env.PROD && 'serviceWorker' in navigator) {
  navigator.serviceWorker.register('/sw.js').catch(() => {}); // the page works without it
}
