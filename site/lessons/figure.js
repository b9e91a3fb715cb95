// The live figure of a lesson: a small lab with the experiment of the figure's link, in place of a still picture. The
// lab starts, with one worker, when half of the figure is on the screen. The still picture goes once the lab has drawn
// its own; readers who save data keep the still picture.
import { watchGuesses } from '../guess.js';

const figure = /** @type {HTMLElement} */ (document.querySelector('.live-figure'));
const plate = /** @type {HTMLElement} */ (figure.querySelector('div'));
const lab = /** @type {HTMLAnchorElement} */ (figure.querySelector('a')).href;

new IntersectionObserver(([seen], watch) => {
  if (!seen.isIntersecting || /** @type {any} */ (navigator).connection?.saveData) return;
  watch.disconnect();
  const pools = /view\.pool/.test(lab) ? '' : ',forest';
  const link = lab.replace('#', '?workers=1#').replace(/&view\.lesson=\d+/, '');
  const frame = Object.assign(document.createElement('iframe'), { title: plate.querySelector('img')?.alt,
    src: `${link}&view.embed=1&view.hide=run${pools},checks,tabs,share` });
  addEventListener('message', (e) => {
    if (e.source === frame.contentWindow && /drawn|result/.test(e.data.logz)) figure.dataset.live = '';
  });
  plate.append(frame);
}, { threshold: .5 }).observe(plate);

watchGuesses(document);
