import { isIP } from 'node:net'
import type { FastifyRequest } from 'fastify'
import type { ClientInfo } from './session-queries.ts'

const USER_AGENT_MAX = 300

/** Reads what is stored about the device a session is opened on. */
export const readClientInfo = (request: FastifyRequest): ClientInfo => ({
  user_agent: request.headers['user-agent']?.slice(0, USER_AGENT_MAX) ?? null,
  ip: isIP(request.ip) ? (request.ip.split('%')[0] ?? null) : null,
})
