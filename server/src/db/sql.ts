import { type EncodedValue, encodeValue, inferType, JsonParameter } from './values.ts'

// biome-ignore lint/suspicious/noExplicitAny: what a statement returns is what its author says
export type Row = Record<string, any>
type AnyRows = readonly (object | undefined)[]

/** The rows of a statement, how many it returned or changed, and what it was (`UPDATE`). */
export type RowList<Rows extends AnyRows = Row[]> = Rows & { readonly count: number; readonly command: string }

type Scalar = string | number | bigint | boolean | Date | Uint8Array | null
type Parameter = Scalar | JsonParameter | readonly Parameter[]

/** Part of a statement that is put in where it stands: another template, a quoted name, rows. */
export type Fragment = Statement<AnyRows> | Identifier | RowsFragment

/** A statement that runs when it is awaited, or becomes part of the statement it is put into. */
export type PendingQuery<Rows extends AnyRows = Row[]> = Statement<Rows>

/** A database or a transaction on it: the first parameter of every query. */
export interface Db {
  /** A statement: the values in the template become parameters, never text. */
  <Rows extends AnyRows = Row[]>(
    template: TemplateStringsArray,
    ...values: readonly (Parameter | Fragment)[]
  ): PendingQuery<Rows>
  /** A quoted name of a table or column. */
  (name: string): Identifier
  /** Rows, or one, for `insert into … ${db(rows)}`. */
  (rows: readonly object[] | object): RowsFragment
  /** A statement from a text, which must not contain anything that came from outside; without parameters several, separated by `;`. */
  unsafe<Rows extends AnyRows = Row[]>(text: string, values?: readonly Parameter[]): PendingQuery<Rows>
  /** A parameter that is JSON. */
  json(value: unknown): JsonParameter
}

/** A statement as it is sent. `name` is that of its prepared statement, which every connection keeps. */
export type BuiltStatement = { text: string; name?: string; values?: EncodedValue[]; types?: number[] }

export class Identifier {
  readonly text: string

  constructor(name: string) {
    this.text = name
      .split('.')
      .map((part) => `"${part.replaceAll('"', '""')}"`)
      .join('.')
  }
}

type ParameterList = { values: EncodedValue[]; types: number[]; hasTypes: boolean }

/** Adds a parameter and returns its placeholder. */
function addParameter(list: ParameterList, value: unknown): string {
  const type = value instanceof JsonParameter ? value.type : inferType(value)
  list.hasTypes ||= type !== 0
  list.types.push(type)
  return `$${list.values.push(encodeValue(value))}`
}

/** Rows to insert, all with the columns of the first one. */
class RowsFragment {
  readonly #rows: readonly Row[]

  constructor(rows: object) {
    this.#rows = Array.isArray(rows) ? rows : [rows]
  }

  render(list: ParameterList): string {
    const columns = Object.keys(this.#rows[0] ?? {})
    const rows = this.#rows.map((row) => `(${columns.map((column) => addParameter(list, row[column])).join(',')})`)
    return `(${columns.map((column) => new Identifier(column).text).join(',')}) values ${rows.join(',')}`
  }
}

function render(strings: readonly string[], values: readonly unknown[], list: ParameterList): string {
  let text = strings[0]!
  for (const [i, value] of values.entries()) text += renderValue(value, list) + strings[i + 1]!
  return text
}

function renderValue(value: unknown, list: ParameterList): string {
  if (value instanceof Statement) return render(value.strings, value.values, list)
  if (value instanceof Identifier) return value.text
  if (value instanceof RowsFragment) return value.render(list)
  return addParameter(list, value)
}

const isFragment = (value: unknown): boolean =>
  value instanceof Statement || value instanceof Identifier || value instanceof RowsFragment

/** The text of each template without fragments, and where it was first used, for the stacks of errors. */
const templates = new WeakMap<readonly string[], { text?: string; origin: string }>()
/** The names of prepared statements by their text and types: one text is one name, so that its plan is found again. */
const names = new Map<string, string>()

function nameOf(text: string, types: number[] | undefined): string {
  const signature = types ? `${types.join()} ${text}` : text
  const known = names.get(signature)
  if (known !== undefined) return known
  const name = `s${names.size + 1}`
  names.set(signature, name)
  return name
}

// biome-ignore lint/suspicious/noExplicitAny: as in every promise
type OnRejected<B> = ((reason: any) => B | PromiseLike<B>) | null

/** A statement, or a part of one: it runs at the first `await` (`then`), and only once. */
class Statement<Rows extends AnyRows> implements Promise<RowList<Rows>> {
  readonly strings: readonly string[]
  readonly values: readonly unknown[]
  readonly #run: (built: BuiltStatement) => Promise<RowList<AnyRows>>
  #running: Promise<RowList<Rows>> | undefined
  readonly [Symbol.toStringTag] = 'Statement'

  constructor(
    strings: readonly string[],
    values: readonly unknown[],
    run: (built: BuiltStatement) => Promise<RowList<AnyRows>>,
  ) {
    this.strings = strings
    this.values = values
    this.#run = run
    if (!templates.has(strings)) templates.set(strings, { origin: new Error().stack ?? '' })
  }

  // biome-ignore lint/suspicious/noThenProperty: it is a promise, one that starts when it is awaited
  then<A = RowList<Rows>, B = never>(
    onResolved?: ((rows: RowList<Rows>) => A | PromiseLike<A>) | null,
    onRejected?: OnRejected<B>,
  ): Promise<A | B> {
    return this.execute().then(onResolved, onRejected)
  }

  catch<B = never>(onRejected?: OnRejected<B>): Promise<RowList<Rows> | B> {
    return this.execute().catch(onRejected)
  }

  finally(onSettled?: (() => void) | null): Promise<RowList<Rows>> {
    return this.execute().finally(onSettled)
  }

  /** Starts the statement without waiting for it. */
  execute(): Promise<RowList<Rows>> {
    this.#running ??= this.#start()
    return this.#running
  }

  async #start(): Promise<RowList<Rows>> {
    try {
      return (await this.#run(this.build())) as RowList<Rows>
    } catch (error) {
      throw withOrigin(error, templates.get(this.strings)?.origin)
    }
  }

  build(): BuiltStatement {
    const list: ParameterList = { values: [], types: [], hasTypes: false }
    // a text of its own, as `unsafe` takes it, is not prepared
    if (!('raw' in this.strings)) {
      for (const value of this.values) addParameter(list, value)
      return { text: this.strings[0]!, ...(list.values.length > 0 && { values: list.values, types: list.types }) }
    }
    const known = this.values.some(isFragment) ? undefined : templates.get(this.strings)
    let text = known?.text
    if (text !== undefined) for (const value of this.values) addParameter(list, value)
    else {
      text = render(this.strings, this.values, list)
      if (known) known.text = text
    }
    const types = list.hasTypes ? list.types : undefined
    return { text, name: nameOf(text, types), values: list.values, ...(types && { types }) }
  }
}

/** Lets an error, which comes from a socket, name the code that made the statement. */
function withOrigin(error: unknown, origin = ''): unknown {
  if (error instanceof Error)
    error.stack = `${error.name}: ${error.message}\n${origin
      .split('\n')
      .filter((line) => /^\s+at /.test(line) && !line.includes(import.meta.filename))
      .join('\n')}`
  return error
}

/** Creates the function that makes statements, which `run` runs. */
export function createDb(run: (built: BuiltStatement) => Promise<RowList<AnyRows>>): Db {
  const tag = (first: unknown, ...values: unknown[]) => {
    if (Array.isArray(first) && 'raw' in first) return new Statement(first, values, run)
    return typeof first === 'string' ? new Identifier(first) : new RowsFragment(first as object)
  }
  return Object.assign(tag, {
    unsafe: (text: string, values: readonly Parameter[] = []) => new Statement([text], values, run),
    json: (value: unknown) => new JsonParameter(value),
  }) as Db
}
