import { defineConfig } from '@playwright/test'
import type { Translation } from './e2e/support/translation.ts'
import { runsAll } from './server/src/test/runs-all.ts'

/**
 * Parts of Chromium that nobody sees here. Only the last list in a command line counts, so that it has to include
 * Playwright's own (chromiumSwitches in its source), as far as Chromium knows them.
 */
const disabledFeatures = [
  // the suggestions below the address field are web pages themselves: two of them cost each new window 0.7 s of the processor
  'WebUIOmniboxPopup',
  'WebUIOmniboxFullPopup',
  'WebUIOmniboxAimPopup',
  // Playwright's
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'DialMediaRouteProvider',
  'GlobalMediaControls',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'PaintHolding',
  'ThirdPartyStoragePartitioning',
  'BlockOriginHeaderModificationOnRedirect',
  'Translate',
  'AutoDeElevate',
  'OptimizationHints',
  'NetworkTimeServiceQuerying',
  'AimEnabled',
]
const chromiumFlags = [
  `--disable-features=${disabledFeatures.join()}`,
  '--no-sandbox',
  '--disable-gpu',
  '--disable-software-rasterizer', // two axe tests took 23 s instead of 26 with it
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  '--disable-quic',
  '--no-first-run',
]

/**
 * The browser tests. They start their own product server and mail server through fixtures, so there is none here.
 * The global setup finds or installs the browsers and names them in CHROMIUM_PATH and CHROMIUM_SHELL_PATH.
 */
export default defineConfig<{ translation: Translation | 'none' }>({
  testDir: 'e2e',
  globalSetup: './e2e/support/global-setup.ts',
  testMatch: '**/*.e2e.ts',
  outputDir: 'test-results/browser',
  workers: 3, // of two cores: much of a test is waiting
  // what is exhaustive, and other browsers: npm run test:full
  ...(!runsAll
    ? { grepInvert: /@full/ }
    : { projects: [{}, { name: 'translated', testDir: 'e2e/specification', use: { translation: 'replaced' } }] }),
  // for slow machines, and hardly ever waited for
  timeout: 480_000,
  expect: { timeout: 90_000 },
  reporter: 'list',
  use: {
    // a test that waits for something that does not come says so before its own time is over
    actionTimeout: 120_000,
    // tests cannot see what a service worker fetches; those of notifications and of the offline page allow it
    serviceWorkers: 'block',
    contextOptions: { reducedMotion: 'reduce' }, // frames of a movement cost a tenth of the processor, and are waited for
    viewport: { width: 1440, height: 900 }, // of a phone in tests marked with @phone (e2e/support/fixtures.ts)
    launchOptions: { executablePath: process.env['CHROMIUM_SHELL_PATH'], args: chromiumFlags },
  },
})
