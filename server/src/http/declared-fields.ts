import * as z from 'zod/mini'

/** What a picker returns for a value that it cannot judge, or that the schema refuses. */
const UNDECIDED = Symbol('undecided')

/** Returns a copy of a value with what its schema declares and nothing else, or `UNDECIDED`. */
type Picker = (value: unknown) => unknown

/** The formats of texts that their patterns alone decide. */
const DECIDED_BY_PATTERN: readonly string[] = ['uuid', 'datetime']

const pickers = new WeakMap<z.core.$ZodType, Picker>()

/**
 * Parses a response by its schema: undeclared fields are left out, and a value of another type throws. Responses are parsed
 * with every request, and most are plain objects: those are copied field by field (decision http-interface), and everything else is
 * left to zod, so that the result is the same.
 */
export function parseResponse(schema: z.ZodMiniType, value: unknown): unknown {
  const picked = pickerOf(schema)(value)
  return picked === UNDECIDED ? z.parse(schema, value) : picked
}

function pickerOf(schema: z.core.$ZodType): Picker {
  const known = pickers.get(schema)
  if (known) return known
  const picker = createPicker(schema)
  pickers.set(schema, picker)
  return picker
}

function createPicker(schema: z.core.$ZodType): Picker {
  const { def } = (schema as z.core.$ZodTypes)._zod
  if (def.checks?.length || ('coerce' in def && def.coerce)) return parseWhole(schema)
  switch (def.type) {
    case 'object':
      return def.catchall ? parseWhole(schema) : pickFields(def.shape)
    case 'array':
      return pickItems(pickerOf(def.element))
    case 'union':
      return pickFirst(def.options.map(pickerOf))
    case 'nullable': {
      const pick = pickerOf(def.innerType)
      return (value) => (value === null ? null : pick(value))
    }
    case 'optional': {
      const pick = pickerOf(def.innerType)
      return (value) => (value === undefined ? undefined : pick(value))
    }
    case 'string':
      return pickText(schema, def)
    case 'number':
      return 'format' in def ? parseWhole(schema) : (value) => (Number.isFinite(value) ? value : UNDECIDED)
    case 'boolean':
      return (value) => (typeof value === 'boolean' ? value : UNDECIDED)
    case 'enum':
    case 'literal': {
      const values: ReadonlySet<unknown> = schema._zod.values ?? new Set()
      return (value) => (values.has(value) ? value : UNDECIDED)
    }
    default:
      return parseWhole(schema)
  }
}

const parseWhole =
  (schema: z.core.$ZodType): Picker =>
  (value) => {
    const parsed = z.safeParse(schema, value)
    return parsed.success ? parsed.data : UNDECIDED
  }

function pickFields(shape: Readonly<Record<string, z.core.$ZodType>>): Picker {
  const fields = Object.entries(shape).map(([name, schema]) => ({ name, pick: pickerOf(schema) }))
  return (value) => {
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return UNDECIDED
    const picked: Record<string, unknown> = {}
    for (const { name, pick } of fields) {
      const field = pick((value as Record<string, unknown>)[name])
      if (field === UNDECIDED) return UNDECIDED
      if (field !== undefined) picked[name] = field
    }
    return picked
  }
}

function pickItems(pick: Picker): Picker {
  return (value) => {
    if (!Array.isArray(value)) return UNDECIDED
    const picked = value.map(pick)
    return picked.includes(UNDECIDED) ? UNDECIDED : picked
  }
}

/** Like zod, takes the first of the options that the value satisfies. */
function pickFirst(options: Picker[]): Picker {
  return (value) => {
    for (const pick of options) {
      const picked = pick(value)
      if (picked !== UNDECIDED) return picked
    }
    return UNDECIDED
  }
}

function pickText(schema: z.core.$ZodType, def: z.core.$ZodStringDef): Picker {
  if (!('format' in def)) return (value) => (typeof value === 'string' ? value : UNDECIDED)
  const { format, pattern } = def as z.core.$ZodStringFormatDef
  if (!pattern || !DECIDED_BY_PATTERN.includes(format)) return parseWhole(schema)
  return (value) => (typeof value === 'string' && pattern.test(value) ? value : UNDECIDED)
}
