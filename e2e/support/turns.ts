import type { TestInfo } from '@playwright/test'
import { sample } from '../../scripts/lib/sample.mjs'

/** Why a test is skipped whose turn it is not. */
export const OTHER_DAY = 'has its turn on another day'

/**
 * Returns whether a test runs today. Under `npm test` tests take turns unless they are marked with `@always`; otherwise all run:
 * somebody has named them, or wants everything.
 */
export const hasTurn = ({ tags, titlePath }: TestInfo): boolean =>
  tags.includes('@always') || sample.hasTurn(titlePath.join(' '))
