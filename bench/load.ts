/**
 * Overloads one web process, connects slow clients to it, and writes the figures to `docs/figures.md`.
 *
 * npm run load [-- <scenario> … --rounds=3]
 */
import { slowClients } from './faults/many-slow-clients.ts'
import { overload } from './faults/overload.ts'
import { runScenarios } from './run-scenarios.ts'

await runScenarios('load', { overload, 'slow-clients': slowClients })
