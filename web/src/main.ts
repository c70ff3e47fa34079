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
