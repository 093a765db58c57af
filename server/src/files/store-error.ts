import { OperatorError } from '../log/operator-error.ts'

/** What to do about the errors of S3 that have one likely reason. */
const ADVICE: Record<string, string> = {
  SignatureDoesNotMatch: 'correct AWS_SECRET_ACCESS_KEY, which is not the secret of AWS_ACCESS_KEY_ID',
  InvalidAccessKeyId: 'correct AWS_ACCESS_KEY_ID, which the store does not know',
  RequestTimeTooSkewed: 'let this machine get the time by NTP',
  AuthorizationHeaderMalformed: 'correct the region of STORAGE_URL',
  NoSuchBucket: 'create the bucket, or correct STORAGE_URL',
  // without the last one S3 answers AccessDenied for a file that is not there
  AccessDenied:
    'allow the AWS keys s3:GetObject, s3:PutObject and s3:DeleteObject on what is in the bucket, and s3:ListBucket on the bucket itself',
  ETIMEDOUT: 'check the network, and whether the store works: it does not answer in time',
}
const OTHER_ADVICE = 'check STORAGE_URL, the AWS keys and their rights, and whether the store works'

/** A bucket could not do what it was asked to. Another try works once it answers again, or somebody has corrected the settings. */
export class StoreError extends OperatorError {
  override name = 'StoreError'
  /** S3's code for what is wrong, or that of the connection: it quotes nothing. */
  readonly code: string
  /** What to do about it. */
  readonly advice: string

  constructor(bucket: string, cause: unknown) {
    const { code, name } = cause as { code?: unknown; name?: unknown }
    const known = String(code ?? name)
    const advice = ADVICE[known] ?? OTHER_ADVICE
    super(`the bucket ${bucket} cannot be used (${known}): ${advice}`, { cause })
    this.code = known
    this.advice = advice
  }
}
