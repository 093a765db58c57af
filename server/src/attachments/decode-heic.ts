import type { MainModule } from 'libheif-js/libheif-wasm/libheif.js'

/** A decoded picture: its pixels row by row, without padding. */
export type HeicPicture = {
  pixels: Uint8Array
  width: number
  height: number
  channels: 3 | 4
  /** The ICC profile of its colours; null for none. */
  profile: Buffer | null
}

// as libheif's headers number them (heif_image.h, heif_color.h)
const COLORSPACE_RGB = 1
const CHROMA_INTERLEAVED_RGB = 10
const CHROMA_INTERLEAVED_RGBA = 11
const CHANNEL_INTERLEAVED = 10
const ICC_PROFILES = ['rICC', 'prof'].map((name) => Buffer.from(name).readUInt32BE())
/** Where a heif_security_limits has its `max_image_size_pixels`, in 64 bits. */
const MAX_PIXELS_OFFSET = 8
/** A heif_error: a code, a second one, and the address of a text. */
const ERROR_BYTES = 12
const WORD_BYTES = 4

let libheif: Promise<MainModule> | undefined

/** Loads libheif, in WebAssembly, when the first picture needs it. */
const loadLibheif = (): Promise<MainModule> => {
  libheif ??= import('libheif-js/libheif-wasm/libheif.js').then(({ default: create }) =>
    // what its types call the default export is the CommonJS module itself
    (create as unknown as typeof create.default)(),
  )
  return libheif
}

/**
 * Decodes the main picture of a HEIC file: turned, mirrored and cut as the file's properties say. The orientation in its Exif block
 * does not hold (ISO/IEC 23008-12, 6.5.10), and other pictures of the file, previews and depth maps are not looked at.
 *
 * @param encode is given the picture, whose pixels are there until it has ended
 * @returns what `encode` returns, or 'too_many_pixels' when the header says so, before anything is decoded
 * @throws when the file is damaged, or needs a decoder that is not there
 */
export async function decodeHeic<T>(
  file: Uint8Array,
  maxPixels: number,
  encode: (picture: HeicPicture) => Promise<T>,
): Promise<T | 'too_many_pixels'> {
  const heif = await loadLibheif()
  const cleanups: (() => void)[] = []
  const withCleanup = (address: number, cleanup: (address: number) => void): number => {
    if (address === 0) throw new Error('libheif has no memory left')
    cleanups.push(() => cleanup(address))
    return address
  }
  const allocate = (bytes: number): number => withCleanup(heif._malloc(bytes), heif._free)
  const readWord = (address: number): number => heif.HEAPU32[address / WORD_BYTES]
  try {
    const error = allocate(ERROR_BYTES)
    const result = allocate(WORD_BYTES)
    const check = () => {
      if (readWord(error) !== 0) throw new Error(`libheif refuses: ${readWord(error)}.${readWord(error + WORD_BYTES)}`)
    }
    const context = withCleanup(heif._heif_context_alloc(), heif._heif_context_free)
    const input = allocate(file.length)
    heif.HEAPU8.set(file, input)
    heif._heif_context_read_from_memory_without_copy(error, context, input, file.length, 0)
    check()
    heif._heif_context_get_primary_image_handle(error, context, result)
    check()
    const handle = withCleanup(readWord(result), heif._heif_image_handle_release)
    // as it is coded: what is shown may be a small part of it
    const codedPixels = heif._heif_image_handle_get_ispe_width(handle) * heif._heif_image_handle_get_ispe_height(handle)
    if (codedPixels > maxPixels) return 'too_many_pixels'
    // nor may any picture be larger that it is put together from
    const limits = heif._heif_context_get_security_limits(context) + MAX_PIXELS_OFFSET
    heif.HEAPU32.set([maxPixels, 0], limits / WORD_BYTES)

    const hasAlpha = heif._heif_image_handle_has_alpha_channel(handle) !== 0
    const channels = hasAlpha ? 4 : 3
    const chroma = hasAlpha ? CHROMA_INTERLEAVED_RGBA : CHROMA_INTERLEAVED_RGB
    heif._heif_decode_image(error, handle, result, COLORSPACE_RGB, chroma, 0)
    check()
    const image = withCleanup(readWord(result), heif._heif_image_release)
    let profile: Buffer | null = null
    if (ICC_PROFILES.includes(heif._heif_image_handle_get_color_profile_type(handle))) {
      const bytes = heif._heif_image_handle_get_raw_color_profile_size(handle)
      const address = allocate(bytes)
      heif._heif_image_handle_get_raw_color_profile(error, handle, address)
      check()
      profile = Buffer.from(heif.HEAPU8.slice(address, address + bytes))
    }
    const pixels = heif._heif_image_get_plane_readonly2(image, CHANNEL_INTERLEAVED, result)
    const width = heif._heif_image_get_width(image, CHANNEL_INTERLEAVED)
    const height = heif._heif_image_get_height(image, CHANNEL_INTERLEAVED)
    const [rowBytes, stride] = [width * channels, readWord(result)]
    for (let y = 1; y < height && stride > rowBytes; y++)
      heif.HEAPU8.copyWithin(pixels + y * rowBytes, pixels + y * stride, pixels + y * stride + rowBytes)
    return await encode({
      pixels: heif.HEAPU8.subarray(pixels, pixels + height * rowBytes),
      width,
      height,
      channels,
      profile,
    })
  } catch (error) {
    // whatever failed may have left its memory in any state: the next picture gets a new one
    libheif = undefined
    cleanups.length = 0
    throw error
  } finally {
    for (const cleanup of cleanups.reverse()) cleanup()
  }
}
