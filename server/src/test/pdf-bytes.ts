/** Returns a small PDF with a text in it. */
export const pdfWith = (text: string): Buffer =>
  Buffer.from(`%PDF-1.7\n1 0 obj\n<< /Type /Catalog >>\nendobj\n% ${text}\ntrailer\n<< /Root 1 0 R >>\n%%EOF\n`)
