import assert from 'node:assert/strict'

/** A response as received; `body` is the parsed JSON, or undefined where there is none. */
export type TestResponse = {
  status: number
  headers: Headers
  text: string
  // biome-ignore lint/suspicious/noExplicitAny: a test looks at whatever the server sent
  body: any
}

type ExtraHeaders = Record<string, string>
export type Caller = {
  get(path: string, headers?: ExtraHeaders): Promise<TestResponse>
  post(path: string, body?: unknown, headers?: ExtraHeaders): Promise<TestResponse>
  patch(path: string, body?: unknown, headers?: ExtraHeaders): Promise<TestResponse>
  put(path: string, body?: unknown, headers?: ExtraHeaders): Promise<TestResponse>
  delete(path: string, body?: unknown, headers?: ExtraHeaders): Promise<TestResponse>
}

/** Returns calls to a server, with a bearer token where there is one, and the headers that all of them carry. */
export function createCaller(url: string, token?: string, always: ExtraHeaders = {}): Caller {
  const call = async (
    method: string,
    path: string,
    body: unknown,
    headers: ExtraHeaders = {},
  ): Promise<TestResponse> => {
    const isForm = body instanceof FormData || body instanceof URLSearchParams
    const response = await fetch(url + path, {
      method,
      redirect: 'manual',
      headers: {
        ...(token && { authorization: `Bearer ${token}` }),
        ...(body !== undefined && !isForm && { 'content-type': 'application/json' }),
        ...always,
        ...headers,
      },
      ...(body !== undefined && { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
    })
    const text = await response.text()
    const json = response.headers.get('content-type')?.startsWith('application/json')
    return {
      status: response.status,
      headers: response.headers,
      text,
      body: json && text ? JSON.parse(text) : undefined,
    }
  }
  return {
    get: (path, headers) => call('GET', path, undefined, headers),
    post: (path, body, headers) => call('POST', path, body, headers),
    patch: (path, body, headers) => call('PATCH', path, body, headers),
    put: (path, body, headers) => call('PUT', path, body, headers),
    delete: (path, body, headers) => call('DELETE', path, body, headers),
  }
}

/** Returns the body of the response to a call that has to succeed. */
export async function accepted(response: Promise<TestResponse>) {
  const { status, body, text } = await response
  assert.ok(status < 300, text)
  return body
}
