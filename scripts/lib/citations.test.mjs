import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'
import { test } from 'node:test'
import { root } from './root.mjs'

// Everything that code and docs cite is in this repository, so that a stranger can follow every reference.

const TEXT_FILE = /\.(?:md|ts|tsx|mjs|js|sql|css|json|ya?ml|example)$/
const TREES = 'locales|contract|server|web|e2e|bench|scripts|lighthouse|docs'

/** Everything a person wrote; not what npm or another program writes, and not this file's own examples. */
const paths = execFileSync('git', ['ls-files', '--cached', '--others', '--exclude-standard'], {
  cwd: root,
  encoding: 'utf8',
})
  .trim()
  .split('\n')
const files = paths
  .filter((file) => TEXT_FILE.test(file) && existsSync(join(root, file)))
  .filter((file) => !/package-lock\.json$|make-models\.json$|citations\.test\.mjs$/.test(file))
const texts = new Map(files.map((file) => [file, readFileSync(join(root, file), 'utf8')]))

const decisions = globSync('docs/decisions/*.md', { cwd: root })
  .map((file) => basename(file, '.md'))
  .filter((name) => name !== 'README')

/** Nobody reads a table from top to bottom. */
const LONG_TABLES = ['contract/src/errors.ts']

test('no file has more than 400 lines', () => {
  const long = [...texts].filter(
    ([file, text]) =>
      /\.(?:tsx?|mjs|js|css)$/.test(file) && !LONG_TABLES.includes(file) && text.split('\n').length - 1 > 400,
  )
  assert.deepEqual(
    long.map(([file]) => file),
    [],
  )
})

/** Returns the numbers of a document's headings: '4' of '## 4. States', '1.9' of '### 1.9 GET /verify'. */
const sectionsOf = (document) =>
  new Set([...texts.get(document).matchAll(/^#+ (\d+(?:\.\d+)*)\.?\s/gm)].map(([, number]) => number))

/** Returns `file: citation` for each citation in any file that `isWrong`. */
function findCitations(pattern, isWrong) {
  return [...texts].flatMap(([file, text]) =>
    [...text.matchAll(pattern)].filter((match) => isWrong(match, file)).map(([cited]) => `${file}: ${cited}`),
  )
}

test('nothing cites a document that is not in the repository', () => {
  const gone =
    /\b(?:spec(?:ification)? §|design(?: part two)? §|design decisions? \d|the design\b|auth contract\b)[^\n]{0,20}/g
  assert.deepEqual(
    findCitations(gone, () => true),
    [],
  )
})

test('every cited decision has its record', () => {
  // a name has two words or more, which tells a citation from a sentence; it may begin the next line of a comment
  const name = '(?:\\d{4}|[a-z]+(?:-[a-z]+)+)'
  const before = '\\s+(?:(?:\\*|//|--|#)\\s+)?'
  const cited = new RegExp(
    `\\bdecision(?:${before}(${name})|s${before}(${name}(?:(?:, | and )${name})+))(?![\\w-])`,
    'gi',
  )
  const isWrong = ([, one, several]) => (one ?? several).split(/, | and /).some((cited) => !decisions.includes(cited))
  assert.deepEqual(findCitations(cited, isWrong), [])
})

test('every cited section of the requirements and of the auth protocol is a heading there', () => {
  for (const [name, document] of [
    ['requirements', 'docs/requirements.md'],
    ['auth-protocol', 'docs/auth-protocol.md'],
  ]) {
    const sections = sectionsOf(document)
    assert.ok(sections.size > 5, `${document} has numbered headings`)
    const cited = new RegExp(`\\b${name} (§\\d+(?:\\.\\d+)*(?:(?:, | and | to )§?\\d+(?:\\.\\d+)*)*)`, 'g')
    const isWrong = ([, numbers]) => numbers.match(/\d+(?:\.\d+)*/g).some((number) => !sections.has(number))
    assert.deepEqual(findCitations(cited, isWrong), [])
  }
})

test('every path that is named exists', () => {
  const named = new RegExp(
    `(?<![\\w./~@#-])(?:${TREES})/[\\w./*@-]*\\.(?:md|tsx?|mjs|js|sql|json|css|png|webp)\\b`,
    'g',
  )
  // what builds, runs and the first release write is not there in a fresh clone
  const isWritten = (path) =>
    /^web\/(?:build|src\/paraglide|src\/fonts)\/|^locales\/(?:compiled|\w+\.inlang)\/|^docs\/figures\.md$|^server\/src\/db\/migrations\/\*|<|NNNN/.test(
      path,
    )
  const isWrong = ([path]) =>
    !isWritten(path) &&
    (path.includes('*') ? globSync(path, { cwd: root }).length === 0 : !existsSync(join(root, path)))
  assert.deepEqual(findCitations(named, isWrong), [])
})

/** Returns whether a match names, by the end of its path, a file that is not there. */
function isMissing([, cited]) {
  // what is served, written or made up, and the forms of names in CONTRIBUTING.md
  const isNoFile =
    /^(?:openapi|backup|records|csp|make_models|platenote-export-[YMD-]+)\.json$|NNNN|^verb-noun\.ts$|^\.\w+$/.test(
      cited.split('/').at(-1),
    )
  const end = `/${cited.replace(/^(?:\.{0,2}\/)+/, '')}`
  return !isNoFile && !paths.some((path) => `/${path}`.endsWith(end))
}

test('every file that is named by the end of its path exists', () => {
  assert.deepEqual(findCitations(/`([\w./-]*\.(?:md|tsx?|mjs|js|sql|json|css))`/g, isMissing), [])
})

test('every relative link in the docs leads to a file', () => {
  const isWrong = ([, target], file) => {
    if (!file.endsWith('.md') || /^[a-z]+:|^#/.test(target)) return false
    return !existsSync(join(root, normalize(join(dirname(file), target.split('#')[0]))))
  }
  assert.deepEqual(findCitations(/\]\(([^)\s]+)\)/g, isWrong), [])
})

test('every decision is in the list of all, once, and its name can be cited', () => {
  const listed = [...texts.get('docs/decisions/README.md').matchAll(/\]\(([a-z-]+)\.md\)/g)].map(([, name]) => name)
  assert.deepEqual(listed.toSorted(), decisions.toSorted())
  assert.deepEqual(
    decisions.filter((name) => !/^(?:dependencies|[a-z]+(?:-[a-z]+)+)$/.test(name)),
    [],
  )
})

test('CONTRIBUTING.md names every script of package.json, and no file names one that is not there', () => {
  const scripts = Object.keys(JSON.parse(texts.get('package.json')).scripts)
  const papers = texts.get('README.md') + texts.get('CONTRIBUTING.md')
  const unnamed = scripts.filter((script) => !new RegExp(`npm (?:run )?${script}(?![\\w:])|\`${script}\``).test(papers))
  assert.deepEqual(unnamed, [])
  // a migration is never edited once it has run somewhere, and the changelog names what a version had
  const isMigration = (file) => /\/\d{4}_\w+\.sql$/.test(file)
  const isWrong = ([, script], file) => !scripts.includes(script) && !isMigration(file) && file !== 'CHANGELOG.md'
  assert.deepEqual(findCitations(/\bnpm run (?:--silent )?([a-z][\w-]*(?::[\w-]+)*)/g, isWrong), [])
})

test('each version of the changelog has the headings of Keep a Changelog, each once', () => {
  const headings = ['Added', 'Changed', 'Deprecated', 'Removed', 'Fixed', 'Security']
  for (const version of texts.get('CHANGELOG.md').split(/^## /m).slice(1)) {
    const found = [...version.matchAll(/^### (.+)$/gm)].map(([, heading]) => heading)
    assert.ok(
      found.every((heading) => headings.includes(heading)) && new Set(found).size === found.length,
      `${version.slice(0, 20)}: ${found.join(', ')}`,
    )
  }
})
