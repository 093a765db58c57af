/** A refusal that no screen knows, so that its text is shown as it is, in either language. */
export const SERVER_ERROR = { error: 'The database is on its lunch break.', code: 'unexpected' }

/** Safari on an iPhone, whose pages show notifications only once they are installed. */
export const IPHONE_USER_AGENT =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1'
