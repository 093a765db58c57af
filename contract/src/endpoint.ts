// chunk: base (the contact page needs it too, and must not load the chunk of signed-in pages)

import * as z from 'zod/mini'

/**
 * Those who may call an endpoint: `public` is everybody, `user` everybody with a session, `verified` users who have confirmed
 * their email address, `admin` users with the admin role, `service` other software with a key of its own.
 */
type Audience = 'public' | 'user' | 'verified' | 'admin' | 'service'

type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

declare const schemas: unique symbol

/** The input of calls without parameters. */
export const EmptyObject = z.object({})

/** The output of calls without a body in the response. */
export const NoContent = z.void()

/**
 * One HTTP call, described once: the server's routes, `/openapi.json` and the browser's `call` take their types from it.
 * Holds what exists on both sides at run time. All else exists on the server only: the web build removes it
 * (web/slim-contract.ts), and server/src/http/route.ts returns it.
 */
export type Endpoint<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
  M extends Method = Method,
> = {
  method: M
  /** Names in `:colons` are fields of the input; the others travel in the query (GET, DELETE) or the body. */
  path: `/${string}`
  audience: Audience
  /** Carries the types of the schemas; no such property exists. */
  readonly [schemas]?: { input: Input; output: Output }
}

/** An endpoint as it is defined. */
export type EndpointDefinition<
  Input extends z.ZodMiniType = z.ZodMiniType,
  Output extends z.ZodMiniType = z.ZodMiniType,
  M extends Method = Method,
> = Endpoint<Input, Output, M> & {
  /** The description in `/openapi.json`. */
  summary: string
  /** Left out: no parameters. */
  input?: Input
  /** Left out: no body. */
  output?: Output
  /** Of a successful response, where it is not 200, or 204 without an output. 202 and 303 have no body either. */
  status?: 200 | 201 | 202 | 204 | 303
  /** What a call with a body takes in its query all the same. */
  query?: z.ZodMiniObject
  /** The optional headers that mean something to this call, each with what it does. */
  headers?: Record<string, string>
  /** The media types, where they are not JSON. */
  requestType?: string
  responseType?: string
}

/** Defines an endpoint; keeps the exact types of its input, output and method. */
export const endpoint = <
  M extends Method,
  I extends z.ZodMiniType = typeof EmptyObject,
  O extends z.ZodMiniType = typeof NoContent,
>(
  definition: EndpointDefinition<I, O, M>,
): Endpoint<I, O, M> => definition

export const PAGE_LIMIT_DEFAULT = 20
export const PAGE_LIMIT_MAX = 100

/** The paging part of a list's input: `cursor` is the `next` of the previous page, opaque to callers. */
export const PageParams = z.object({
  cursor: z.optional(z.string().check(z.minLength(1), z.maxLength(200))),
  limit: z.optional(z.coerce.number().check(z.int(), z.minimum(1), z.maximum(PAGE_LIMIT_MAX))),
})
export type PageParams = z.infer<typeof PageParams>

/** Returns the schema of one page of a list (`docs/http-interface.md`); `next` is null on the last page. */
export const pageOf = <T extends z.ZodMiniType>(item: T) =>
  z.object({ items: z.array(item), next: z.nullable(z.string()) })

/** The input of calls about one resource. */
export const IdParam = z.object({
  // as the database writes it: texts are encrypted for the id, and 'A' and 'a' name the same row
  id: z.uuid().check(z.toLowerCase()),
})
