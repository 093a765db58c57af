import jsQr from 'jsqr'
import sharp from 'sharp'

// a CommonJS module: its types name the function `default`, which Node makes the module itself
const decodeQr = jsQr as unknown as typeof jsQr.default

/** Reads the QR code of a picture that is shown at 40 % of its size; undefined: there is none to be read. */
export async function readCode(png: Buffer): Promise<string | undefined> {
  const { width } = await sharp(png).metadata()
  const { data, info } = await sharp(png)
    .resize(Math.round(width * 0.4))
    .ensureAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true })
  return decodeQr(new Uint8ClampedArray(data), info.width, info.height)?.data
}
