/** Somebody who reads: a person by the key they have in the model. */
export type Reader = string

type Secret = { what: string; value: string; knownTo: Set<Reader> }

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i
/** Long enough that an encoded secret is found and short words are not decoded for nothing. */
const BASE64_RUN = /[A-Za-z0-9+/_-]{16,}={0,2}/g

/** Everything that not everybody may read, and who may: the visible set of each person. */
export class Secrets {
  readonly #secrets = new Map<string, Secret>()
  readonly #texts = new Finder()
  readonly #bytes = new Finder()

  /** Adds a secret with those who may know it from now on; one that is there already keeps those it has. */
  add(what: string, value: string, ...knownTo: Reader[]): void {
    if (this.#secrets.has(value)) {
      this.reveal(value, ...knownTo)
      return
    }
    const secret = { what, value, knownTo: new Set(knownTo) }
    this.#secrets.set(value, secret)
    this.#texts.add(value.toLowerCase(), secret)
    if (!UUID.test(value)) return
    const digits = value.replaceAll('-', '').toLowerCase()
    this.#texts.add(digits, secret)
    this.#bytes.add(Buffer.from(digits, 'hex').toString('latin1'), secret)
  }

  has(value: string): boolean {
    return this.#secrets.has(value)
  }

  reveal(value: string, ...readers: Reader[]): void {
    for (const reader of readers) this.#secrets.get(value)!.knownTo.add(reader)
  }

  /** Takes a secret out of a person's visible set: from now on nothing may show it to them. */
  hide(value: string, reader: Reader): void {
    this.#secrets.get(value)!.knownTo.delete(reader)
  }

  /** Returns the secrets in a text, regardless of who may know them: as written, and encoded as base64. */
  found(text: string): Set<Secret> {
    const decoded = (text.match(BASE64_RUN) ?? [])
      .map((run) => Buffer.from(run, 'base64').toString('latin1'))
      .join('\n')
    return new Set([...this.#texts.find(`${text}\n${decoded}`.toLowerCase()), ...this.#bytes.find(decoded)])
  }

  /** Lists what a text shows its reader that they may not know. */
  leaks(reader: Reader, source: string, text: string): string[] {
    return [...this.found(text)]
      .filter(({ knownTo }) => !knownTo.has(reader))
      .map(({ what, value }) => `${reader} reads in ${source}: ${what} (${value})`)
  }
}

/** Finds many words in a text, in time that does not depend on how many there are. */
class Finder {
  /** The words that end with these characters: ends differ more than beginnings, which are times in many ids. */
  readonly #byEnd = new Map<string, { word: string; secret: Secret }[]>()
  static readonly END = 6

  add(word: string, secret: Secret): void {
    if (word.length < Finder.END) throw new Error(`'${word}' is too short: it would be found where it is not meant`)
    const end = word.slice(-Finder.END)
    this.#byEnd.set(end, [...(this.#byEnd.get(end) ?? []), { word, secret }])
  }

  *find(text: string): Generator<Secret> {
    for (let end = Finder.END; end <= text.length; end++)
      for (const { word, secret } of this.#byEnd.get(text.slice(end - Finder.END, end)) ?? [])
        if (text.endsWith(word, end)) yield secret
  }
}
