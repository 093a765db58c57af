import { runRollingRestarts } from '../../server/src/test/rolling-restarts.ts'
import { aim, note, quantile, type Scenario } from '../figures.ts'

export const rollingRestart: Scenario = {
  title: 'Rolling restart of two web processes',
  description:
    'Two web processes behind a proxy that asks for `/readyz` every 100 ms are stopped with SIGTERM and started again in turn, with `DRAIN_SECONDS=1`, while four people send, two read and eight have live streams open. Nobody repeats a request.',
  rounds: 6,
  async run(rounds, progress) {
    const result = await runRollingRestarts(rounds, (done) => progress(`${done} of ${rounds} restarts`))
    const { requests, failed, events, lostEvents, repeatedEvents, refusedStreams, handOvers, gapsMs } = result
    for (const what of failed.slice(0, 5)) progress(what)
    return [
      note('requests', requests),
      aim('failed', failed.length, '0', failed.length === 0),
      note('live events', events),
      aim('lost', lostEvents, '0', lostEvents === 0),
      aim('sent twice', repeatedEvents, '0', repeatedEvents === 0),
      note('streams handed over', handOvers),
      aim('refused when they came back', refusedStreams, '0', refusedStreams === 0),
      note('without a stream, half of the times / at most', `${quantile(gapsMs)} / ${quantile(gapsMs, 1)} ms`),
    ]
  },
}
