// The live figure of a lesson: the lab with the experiment of the figure's link, small, in place of a still picture of
// it. It starts when half of it is on the screen, with one worker; who saves data keeps the still picture. That goes
// once the lab has drawn its own.
const figure = /** @type {HTMLElement} */ (document.querySelector('.live-figure'));
const plate = /** @type {HTMLElement} */ (figure.querySelector('div'));
const lab = /** @type {HTMLAnchorElement} */ (figure.querySelector('a')).href;

new IntersectionObserver(([seen], watch) => {
  if (!seen.isIntersecting || /** @type {any} */ (navigator).connection?.saveData) return;
  watch.disconnect();
  const pools = /view\.pool/.test(lab) ? '' : ',forest';
  const frame = Object.assign(document.createElement('iframe'), {
    title: plate.querySelector('img')?.alt,
    src: `${lab.replace('#', '?workers=1#').replace(/&view\.lesson=\d+/, '')}&view.embed=1&view.hide=run${pools
    },checks,tabs,share`,
  });
  addEventListener('message', (e) => {
    if (e.source === frame.contentWindow && /drawn|result/.test(e.data.logz)) figure.dataset.live = '';
  });
  plate.append(frame);
}, { threshold: .5 }).observe(plate);
