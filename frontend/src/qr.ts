import { renderSVG } from 'uqr'

/** Draws what the places of a page that the server wrote ask for; a page without one never loads this. */
for (const place of document.querySelectorAll<HTMLElement>('[data-qr]')) place.innerHTML = renderSVG(place.dataset.qr ?? '', { border: 2 })
