// npm run bench -- lighthouse: measures the pages of the built product as a phone would see them, and fails on a missed budget.
// Some pages, fewer runs: npm run bench -- lighthouse --pages=/,/fr/login --runs=1
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { ensureBrowser } from '../scripts/lib/browser.mjs'
import { CliError, runCommand } from '../scripts/lib/cli-error.mjs'
import { ensureInstalledIn } from '../scripts/lib/install.mjs'
import { root } from '../scripts/lib/root.mjs'
import { ensureBuilt } from '../scripts/lib/web-build.mjs'
import { adminPages, formPages, inFrench, listedPages, ownerPages, plainFormPages, textPages } from '../web/pages.mjs'

const DEFAULT_RUNS = '5'

/** The budgets of each kind are in budgets.mjs. */
const kinds = { text: textPages, plain: plainFormPages, form: formPages, owner: ownerPages, admin: adminPages }

/**
 * The pages that are measured: public ones in both languages, the app, whose scripts are the same in both, in English. A page
 * that is not `listed` loses the points for that on purpose.
 */
const pages = Object.entries(kinds).flatMap(([kind, paths]) =>
  paths.flatMap((path) => {
    const page = { path, kind, listed: listedPages.includes(path) }
    return kind === 'owner' || kind === 'admin' ? [page] : [page, { ...page, path: inFrench(path) }]
  }),
)

/** Parses `--pages=/,/fr/login --runs=1` into {pages, runs}; throws a CliError that says what is wrong with them. */
function parseOptions(args) {
  const { pages: chosen, runs: wanted } = parseValues(args)
  const runs = Number(wanted)
  if (!Number.isInteger(runs) || runs < 1) throw new CliError(`--runs=${wanted} is not a number of runs.`)
  return { runs, pages: chosen === undefined ? pages : chosen.split(',').map(findPage) }
}

function parseValues(args) {
  try {
    return parseArgs({ args, options: { pages: { type: 'string' }, runs: { type: 'string', default: DEFAULT_RUNS } } })
      .values
  } catch (error) {
    throw new CliError(error.message)
  }
}

function findPage(path) {
  const page = pages.find((one) => one.path === path)
  if (page) return page
  throw new CliError(`there is no page ${path} in the list; it has ${pages.map((one) => one.path).join(', ')}.`)
}

await runCommand(async () => {
  const options = parseOptions(process.argv.slice(2)) // reports a mistake before anything is installed
  await ensureInstalledIn(join(root, 'lighthouse'), 'Installing Lighthouse (this command alone needs its 180 MB)')
  await ensureBuilt()
  process.env.CHROMIUM_PATH = await ensureBrowser()
  const { measurePages } = await import('./measure-pages.mjs')
  await measurePages(options)
})
