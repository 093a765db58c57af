/** Whether this is `npm run test:full`, which repeats what `npm test` does a few times until chance has no place to hide. */
export const runsAll = process.env['TEST_FULL'] === '1'
