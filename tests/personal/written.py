"""Writes small PDF files whose texts are at known positions."""

Text = tuple[float, float, float, bool, str]


def pdf(pages, locked=False):
    """Return a PDF of A4 pages as bytes. A page is a list of (x, y, size, bold, words); x and y are in points from the
    left and the bottom. If `locked` is True, the PDF is encrypted.
    """
    objects = [b"<< /Type /Catalog /Pages 2 0 R >>", b"", *(font(name) for name in ("Helvetica", "Helvetica-Bold"))]
    kids = []
    for page in pages:
        stream = "\n".join(
            f"BT /F{2 if bold else 1} {size} Tf {x} {y} Td ({words.replace('(', '[').replace(')', ']')}) Tj ET"
            for x, y, size, bold, words in page
        ).encode("latin-1")
        objects.append(b"<< /Length %d >>\nstream\n%s\nendstream" % (len(stream), stream))
        kids.append(len(objects) + 1)
        objects.append(
            b"<< /Type /Page /Parent 2 0 R /MediaBox [0 0 595 842] /Contents %d 0 R "
            b"/Resources << /Font << /F1 3 0 R /F2 4 0 R >> >> >>" % len(objects)
        )
    objects[1] = b"<< /Type /Pages /Count %d /Kids [%s] >>" % (len(kids), b" ".join(b"%d 0 R" % kid for kid in kids))
    trailer = b"/ID [<00> <00>] /Encrypt << /Filter /Standard /V 1 /R 2 /P -4 /O <%s> /U <%s> >>" % (
        b"ab" * 32,
        b"cd" * 32,
    )
    out, places = b"%PDF-1.4\n", []
    for number, body in enumerate(objects, 1):
        places.append(len(out))
        out += b"%d 0 obj\n%s\nendobj\n" % (number, body)
    table = b"".join(b"%010d 00000 n \n" % place for place in places)
    return (
        out
        + b"xref\n0 %d\n0000000000 65535 f \n%strailer\n<< /Size %d /Root 1 0 R %s >>\nstartxref\n%d\n%%%%EOF\n"
        % (
            len(objects) + 1,
            table,
            len(objects) + 1,
            trailer if locked else b"",
            len(out),
        )
    )


def font(name):
    return b"<< /Type /Font /Subtype /Type1 /BaseFont /%s >>" % name.encode()
