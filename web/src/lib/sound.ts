/** Small sounds made of a few tones and a little noise. No files; nothing unless somebody wants it. */
import { settings } from './settings.svelte';

export type Sound = 'step' | 'coin' | 'die' | 'rug' | 'hammer' | 'turn' | 'end';

interface Tone {
  at: number; // seconds from now
  lasts: number;
  pitch: number; // Hz; for noise, where its filter is open
  loud: number;
  shape: OscillatorType | 'noise';
}

const tone = (at: number, lasts: number, pitch: number, loud: number, shape: Tone['shape'] = 'sine'): Tone => ({
  at,
  lasts,
  pitch,
  loud,
  shape,
});

const SOUNDS: Record<Sound, Tone[]> = {
  step: [tone(0, 0.07, 320, 0.25, 'noise'), tone(0, 0.06, 150, 0.2)],
  coin: [tone(0, 0.12, 1760, 0.12, 'triangle'), tone(0.06, 0.22, 2350, 0.1, 'triangle')],
  die: [0, 0.09, 0.17, 0.28, 0.42].map((at, number) => tone(at, 0.05, 1400 - 120 * number, 0.25, 'noise')),
  rug: [tone(0, 0.22, 700, 0.22, 'noise'), tone(0.12, 0.12, 110, 0.25)],
  hammer: [tone(0, 0.05, 900, 0.4, 'noise'), tone(0, 0.16, 190, 0.35, 'triangle')],
  turn: [tone(0, 0.18, 587, 0.14), tone(0.13, 0.3, 880, 0.14)],
  end: [tone(0, 0.3, 440, 0.13), tone(0.15, 0.3, 554, 0.13), tone(0.3, 0.3, 659, 0.13), tone(0.45, 0.7, 880, 0.14)],
};

let context: AudioContext | null = null;
let noise: AudioBuffer | null = null;

/** Make a sound, if sound is on. Browsers allow it only after somebody touched the page. */
export function sound(name: Sound): void {
  if (!settings.sound || typeof AudioContext === 'undefined') return;
  context ??= new AudioContext();
  if (context.state === 'suspended') void context.resume();
  for (const one of SOUNDS[name]) play(context, one);
}

function play(context: AudioContext, { at, lasts, pitch, loud, shape }: Tone): void {
  const start = context.currentTime + at;
  const volume = context.createGain();
  volume.gain.setValueAtTime(loud, start);
  volume.gain.exponentialRampToValueAtTime(0.001, start + lasts);
  volume.connect(context.destination);
  const source = shape === 'noise' ? rustling(context, pitch, volume) : singing(context, pitch, shape, volume);
  source.start(start);
  source.stop(start + lasts);
}

function singing(context: AudioContext, pitch: number, shape: OscillatorType, to: AudioNode) {
  const source = context.createOscillator();
  source.type = shape;
  source.frequency.value = pitch;
  source.connect(to);
  return source;
}

function rustling(context: AudioContext, pitch: number, to: AudioNode) {
  if (!noise) {
    noise = context.createBuffer(1, context.sampleRate / 2, context.sampleRate);
    const wave = noise.getChannelData(0);
    for (let i = 0; i < wave.length; i++) wave[i] = Math.random() * 2 - 1;
  }
  const source = context.createBufferSource();
  source.buffer = noise;
  const filter = context.createBiquadFilter();
  filter.type = 'bandpass';
  filter.frequency.value = pitch;
  source.connect(filter).connect(to);
  return source;
}
