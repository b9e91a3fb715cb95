// A function that returns one line for each visible text that is cut off, covered, or overlaps another text.
() => {
	const found = [], pieces = [];
	const layered = (e) => { // the fixed or sticky element around e, such as a bar or a sheet, or ''
		for (; e && e !== document.documentElement; e = e.parentElement) {
			if (/fixed|sticky/.test(getComputedStyle(e).position)) return e.id || e.className || e.tagName;
		}
		return '';
	};
	const shown = (e) =>
		e.checkVisibility({ checkOpacity: true, checkVisibilityCSS: true }) && !e.closest('[inert], option');
	const top = document.querySelector('dialog[open]') ?? document.body;
	const walk = document.createTreeWalker(top, NodeFilter.SHOW_TEXT);
	for (let node = walk.nextNode(); node; node = walk.nextNode()) {
		const text = node.data.trim(), at = node.parentElement;
		if (!text || !at || !shown(at) || /^(SCRIPT|STYLE|NOSCRIPT|TITLE|TEXTAREA)$/.test(at.tagName)) continue;
		const range = document.createRange();
		range.selectNodeContents(node);
		for (const r of range.getClientRects()) {
			if (r.width < 1 || r.height < 1) continue;
			// A scrolling element may hide a part of a text; a clipping one may not.
			let box = { left: r.left, right: r.right, top: r.top, bottom: r.bottom };
			let hidden = false, scrolls = false;
			for (let e = at; e && e !== document.documentElement; e = e.parentElement) {
				const style = getComputedStyle(e), b = e.getBoundingClientRect();
				const all = !/visible/.test(style.overflowX + style.overflowY); // it clips, so a text outside it is hidden
				hidden ||= all && (r.left >= b.right || r.right <= b.left || r.top >= b.bottom || r.bottom <= b.top);
				hidden ||= style.clipPath === 'inset(50%)'; // for screen readers
				const cut = (o) => /hidden|clip/.test(o), roll = (o) => /auto|scroll/.test(o);
				if (roll(style.overflowX) || roll(style.overflowY)) {
					scrolls = true;
					box = { left: Math.max(box.left, b.left), right: Math.min(box.right, b.right),
						top: Math.max(box.top, b.top), bottom: Math.min(box.bottom, b.bottom) };
					hidden ||= box.right - box.left < 2 || box.bottom - box.top < 2;
				} else if (!scrolls && (cut(style.overflowX) && (r.left < b.left - 2 || r.right > b.right + 2) ||
					cut(style.overflowY) && (r.top < b.top - 3 || r.bottom > b.bottom + 3))) {
					if (!hidden) found.push('cut: ' + text);
				}
			}
			if (hidden) continue;
			if (!scrolls && (r.left < -1 || r.right > innerWidth + 1)) found.push('beside the page: ' + text);
			const layer = layered(at), over = document.elementFromPoint(box.right - 2, (box.top + box.bottom) / 2);
			if (over && !over.contains(at) && !at.contains(over) && layered(over) === layer) found.push('covered: ' + text);
			pieces.push({ ...box, text, at, layer });
		}
	}
	for (let i = 0; i < pieces.length; i++) {
		for (let j = i + 1; j < pieces.length; j++) {
			const p = pieces[i], q = pieces[j];
			if (p.at === q.at || p.layer !== q.layer) continue;
			const wide = Math.min(p.right, q.right) - Math.max(p.left, q.left);
			const high = Math.min(p.bottom, q.bottom) - Math.max(p.top, q.top);
			if (wide > 2 && high > Math.min(p.bottom - p.top, q.bottom - q.top) / 3) found.push(p.text + ' | over | ' + q.text);
		}
	}
	return [...new Set(found)].map((s) => s.slice(0, 120));
}
