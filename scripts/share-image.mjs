// npm run node -- scripts/share-image.mjs: draws web/public/share-en.png and share-fr.png, the images that other sites show with a link to this one. Run it after a change to the hero of the landing page, on a fresh build (npm run build).
import { readFileSync } from 'node:fs'
import { extname, join } from 'node:path'
import { chromium } from '@playwright/test'
import sharp from 'sharp'
import { ensureBrowser } from './lib/browser.mjs'
import { runCommand } from './lib/cli-error.mjs'
import { root } from './lib/root.mjs'

const client = join(root, 'web/build/client')
const SIZE = { width: 1200, height: 630 }
const COLOURS = 128
const TYPES = {
  '.html': 'text/html; charset=utf-8',
  '.css': 'text/css',
  '.woff2': 'font/woff2',
  '.svg': 'image/svg+xml',
}

/** Lays the hero out for an image: the page's own drawing, text and font, in the light theme. */
const SHARE_CSS = `
  body { min-height: 0 }
  .share { display: grid; grid-template-columns: 1fr 500px; gap: 48px; align-items: center; height: 630px; padding: 0 64px }
  .share > div:first-child { display: grid; gap: 36px; justify-items: start }
  .share .logo { zoom: 1.45 }
  .share h1 { font-size: 66px; margin: 0 }
  .share ul { zoom: 1.15 }
  .share > [role="img"] { padding-inline: 16px }`

await runCommand(async () => {
  const browser = await chromium.launch({ executablePath: await ensureBrowser(), args: ['--no-sandbox'] })
  try {
    for (const [path, name] of [
      ['/', 'share-en.png'],
      ['/fr/', 'share-fr.png'],
    ]) {
      const file = join(root, 'web/public', name)
      const { size } = await sharp(await captureHero(browser, path))
        .png({ palette: true, colours: COLOURS, effort: 10, compressionLevel: 9 })
        .toFile(file)
      console.log(`${file}: ${size} bytes`)
    }
  } finally {
    await browser.close()
  }
})

async function captureHero(browser, path) {
  const page = await browser.newPage({ viewport: SIZE, colorScheme: 'light', reducedMotion: 'reduce' })
  await page.route('**/*', (route) => {
    const { pathname } = new URL(route.request().url())
    const file = pathname.endsWith('/') ? `${pathname}index.html` : pathname
    return route.fulfill({ body: readFileSync(join(client, file)), contentType: TYPES[extname(file)] })
  })
  await page.goto(`http://localhost${path}`)
  await page.addStyleTag({ content: SHARE_CSS })
  // runs in the page
  await page.evaluate(() => {
    const take = (selector) => document.querySelector(selector).outerHTML
    const hero = 'main section:first-of-type'
    const logo = `<div class="logo">${document.querySelector('header a').innerHTML}</div>`
    const words = logo + take(`${hero} h1`) + take(`${hero} h1 ~ ul`)
    document.body.innerHTML = `<div class="share"><div>${words}</div>${take(`${hero} [role="img"]`)}</div>`
    return document.fonts.ready.then(() => undefined)
  })
  const png = await page.screenshot({ type: 'png' })
  await page.close()
  return png
}
