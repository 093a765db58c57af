import * as z from 'zod/mini'

const compiled = new WeakMap<z.core.$ZodType, z.core.$ZodType>()

/**
 * Parses a response by its schema: undeclared fields are left out, and a value of another type throws. Responses are parsed with
 * every request, and zod/mini interprets each object field by field: zod compiles it here (decision http-interface).
 */
export const parseResponse = (schema: z.ZodMiniType, value: unknown): unknown => z.parse(compileOnce(schema), value)

function compileOnce(schema: z.core.$ZodType): z.core.$ZodType {
  const known = compiled.get(schema)
  if (known) return known
  const fast = compile(schema)
  compiled.set(schema, fast)
  return fast
}

/** Returns the same schema with objects that zod compiles, at any depth; what it does not know stays as it is. */
function compile(schema: z.core.$ZodType): z.core.$ZodType {
  const { def } = (schema as z.core.$ZodTypes)._zod
  switch (def.type) {
    case 'object': {
      const fields = Object.entries(def.shape).map(([name, field]) => [name, compileOnce(field)])
      return new z.core.$ZodObjectJIT({ ...def, shape: Object.fromEntries(fields) })
    }
    case 'array':
      return new z.core.$ZodArray({ ...def, element: compileOnce(def.element) })
    case 'union': {
      const options = def.options.map(compileOnce)
      return 'discriminator' in def
        ? new z.core.$ZodDiscriminatedUnion({ ...(def as z.core.$ZodDiscriminatedUnionDef), options })
        : new z.core.$ZodUnion({ ...def, options })
    }
    case 'nullable':
      return new z.core.$ZodNullable({ ...def, innerType: compileOnce(def.innerType) })
    case 'optional':
      return new z.core.$ZodOptional({ ...def, innerType: compileOnce(def.innerType) })
    default:
      return schema
  }
}
