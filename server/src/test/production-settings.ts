/** Everything that a start in production asks for. */
export const PRODUCTION = {
  NODE_ENV: 'production',
  PUBLIC_URL: 'https://platenote.ca',
  MASTER_KEY: Buffer.alloc(32, 7).toString('base64'),
  JWT_SECRET: 'x'.repeat(32),
  SMTP_URL: 'smtp://mail.example.com',
  MAIL_FROM: 'PlateNote <notes@platenote.ca>',
  SUPPORT_EMAIL: 'support@platenote.ca',
  MAIL_SENDER_NAME: 'PlateNote Inc.',
  MAIL_POSTAL_ADDRESS: '1 Main Street, Toronto ON  M5V 1A1',
  PRIVACY_OFFICER: 'Jeanne Côté',
}
