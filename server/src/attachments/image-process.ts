// The program of an image process: re-encodes the images it is sent, one after the other (see image-processes.ts).
import { reencodeImage } from './reencode-image.ts'

const respond = async (upload: Uint8Array) => {
  process.send!(await reencodeImage(Buffer.from(upload.buffer, upload.byteOffset, upload.byteLength)))
}

process.on('message', (upload: Uint8Array) => void respond(upload))
// the server is gone, perhaps without having been able to say so, and libvips may be busy
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'))
process.send!('ready')
