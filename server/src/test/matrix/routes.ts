import { subscribe, unsubscribe } from 'node:diagnostics_channel'
import type { FastifyInstance } from 'fastify'

/** The channel on which Fastify announces every app it creates, before anything is registered on it. */
const CREATED = 'fastify.initialization'

/**
 * Builds an app and records every route its router takes meanwhile, as `METHOD url`: those of plugins, those Fastify adds
 * itself (HEAD), and each method of a route that has several.
 */
export async function recordRoutes<T>(build: () => Promise<T>): Promise<{ built: T; routes: string[] }> {
  const routes = new Set<string>()
  const record = (message: unknown) => {
    const { fastify } = message as { fastify: FastifyInstance }
    fastify.addHook('onRoute', ({ method, url }) => {
      for (const one of [method].flat()) routes.add(`${one} ${url}`)
    })
  }
  subscribe(CREATED, record)
  try {
    return { built: await build(), routes: [...routes].sort() }
  } finally {
    unsubscribe(CREATED, record)
  }
}
