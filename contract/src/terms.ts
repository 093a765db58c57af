// chunk: base

/**
 * The versions of the terms and of the privacy policy, which change together, by the day both name as that of their last
 * update; the newest last. A change that people have to agree to is a new version: the app then asks everybody again
 * (decision terms-consent). The texts are in `locales/legal`.
 */
export const TERMS_VERSIONS = ['2025-06-22'] as const

/** The version in force. */
export const TERMS_VERSION: string = TERMS_VERSIONS[TERMS_VERSIONS.length - 1]!

/** The age somebody must have to use the product, and in Quebec to agree to it alone. */
export const MINIMUM_AGE = 13
export const MINIMUM_AGE_IN_QUEBEC = 14
