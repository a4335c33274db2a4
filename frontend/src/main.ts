import './tokens.css'
import './font.css'
import './base.css'
import './study.css'
import { mount } from 'svelte'
import App from './App.svelte'
import { PAGES, type Boot } from './boot'
import { open } from './pages'
import { tabShelf } from './shelves'
import { ownTaste } from './ui.svelte'
import { learn } from './words'

/** A part of the bundle that is gone: it was built anew since this page was loaded. Once a minute at most. */
addEventListener('vite:preloadError', (event) => {
  try {
    const last = Number(tabShelf.getItem('reloaded') ?? 0)
    if (Date.now() - last < 60_000) return
    tabShelf.setItem('reloaded', String(Date.now()))
  } catch {
    return // nothing would tell the second time from the first
  }
  event.preventDefault()
  location.reload()
})

if (document.querySelector('[data-qr]')) void import('./qr')

const target = document.getElementById('app')
if (target) {
  const page = target.dataset.page
  const given = document.getElementById('boot')?.textContent
  const boot: Boot = {
    lang: page === 'folder' || page === 'file' ? ownTaste() : document.documentElement.lang.startsWith('zh') ? 'zh' : 'en',
    ...(given ? (JSON.parse(given) as Partial<Boot>) : {}),
    page: PAGES.find((known) => known === page) ?? 'plain',
  }
  const opened = open(boot, new URLSearchParams(location.search)).catch(() => undefined)
  // Where its part of the bundle did not come the page says so, and a reload asks again.
  void Promise.all([opened, learn(boot.lang)]).then(([opened]) => {
    // The server's bar stood here meanwhile.
    target.replaceChildren()
    mount(App, { target, props: { boot, opened: opened ?? null, isLost: opened === undefined } })
  }, () => void (target.textContent = 'The page did not come whole; load it again. 页面未能完整载入，请重新载入。'))
}
