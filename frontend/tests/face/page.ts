import '../../src/tokens.css'
import '../../src/font.css'
import '../../src/base.css'
import { mount } from 'svelte'
import { ownTaste } from '../../src/ui.svelte'
import FacePage from './FacePage.svelte'

/** Pictures of what is derived, without a site: `npx vite`, then `/static/tests/face/index.html?case=publicGoods&n=14`. */
const asked = new URLSearchParams(location.search)
if (asked.has('theme')) document.documentElement.dataset.theme = asked.get('theme') ?? ''
mount(FacePage, { target: document.getElementById('app') as HTMLElement, props: { asked, lang: asked.get('lang') === 'zh' ? 'zh' : asked.has('lang') ? 'en' : ownTaste() } })
