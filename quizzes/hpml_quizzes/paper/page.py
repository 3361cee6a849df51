"""A scanned page -> whose form it is, and how dark each of its bubbles is.

The four black squares in the corners give the perspective that maps the scan onto the form; the QR code says which way up.
Points are x, y; positions in pictures count from a pixel's edge, so that the middle of the first pixel is at 0.5.
"""
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import numpy as np
import zbar
from PIL import Image, ImageFilter, UnidentifiedImageError

from . import form
from .form import Code, parse_code

_SCALE = 8                  # pixels per millimetre of the straightened page
_LONG_SIDE = 1400           # pixels of the small copy in which the squares are looked for
_CORNER = (0.3, 0.22)       # share of width and height in which a corner's square lies
_CERTAIN = 0.6              # how much darker than its surroundings a square is at least
_INSIDE = 1.0               # mm: radius of what is looked at in a bubble, within its outline

Box = tuple[float, float, float, float]     # mm: left, upper, right, lower


class Unreadable(Exception):
    """This page cannot be read: a person must look at it."""


class NoForm(Exception):
    """The page has no trace of a form: a sheet of questions, the empty back of a form."""


@dataclass(frozen=True)
class Page:
    code: Code
    image: np.ndarray       # grey, straightened, _SCALE pixels per millimetre
    black: float            # the grey of the squares

    def darkness(self, centre: tuple[float, float]) -> float:
        """Of a bubble: 0 as the paper around it, 1 as the printed black."""
        x, y = (round(value * _SCALE) for value in centre)
        around = round(2.4 * _SCALE)
        paper = float(np.percentile(self.image[y - around:y + around, x - around:x + around], 80))
        radius = round(_INSIDE * _SCALE)
        patch = self.image[y - radius:y + radius + 1, x - radius:x + radius + 1]
        return float(np.clip((paper - patch[_disc(radius)].mean()) / max(paper - self.black, 1.0), 0.0, 1.0))


def _disc(radius: int) -> np.ndarray:
    y, x = np.ogrid[-radius:radius + 1, -radius:radius + 1]
    return x * x + y * y <= radius * radius


def load(path: Path) -> Image.Image:
    try:
        return Image.open(path).convert("L")
    except (UnidentifiedImageError, OSError):
        raise Unreadable("not a picture") from None


def _box_means(image: np.ndarray, side: int) -> np.ndarray:
    """Of the square with this (odd) side around each pixel; what is beyond the picture counts as white, 0."""
    padded = np.pad(image, side // 2)
    sums = np.pad(padded.cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    return (sums[side:, side:] - sums[:-side, side:] - sums[side:, :-side] + sums[:-side, :-side]) / side**2


def _corners(image: Image.Image) -> np.ndarray:
    """Centres of the four squares, clockwise from the upper left of the scan."""
    shrink = min(1.0, _LONG_SIDE / max(image.size))
    small = image.resize((round(image.width * shrink), round(image.height * shrink)), Image.BOX)
    grey = np.asarray(small.filter(ImageFilter.MedianFilter(3)), float)
    dark = (grey < (np.percentile(grey, 0.5) + np.percentile(grey, 80)) / 2).astype(float)
    side = form.MARK_SIDE / form.PAPERS["a4"][1] * max(small.size)
    inner, middle, outer = (int(side * part) // 2 * 2 + 1 for part in (0.7, 1.4, 2.0))
    ring = (_box_means(dark, outer) * outer**2 - _box_means(dark, middle) * middle**2) / (outer**2 - middle**2)
    likeness = _box_means(dark, inner) - ring
    height, width = dark.shape
    across, down = round(width * _CORNER[0]), round(height * _CORNER[1])
    centres = []
    for left, upper in ((0, 0), (width - across, 0), (width - across, height - down), (0, height - down)):
        part = likeness[upper:upper + down, left:left + across]
        y, x = np.unravel_index(int(part.argmax()), part.shape)
        if part[y, x] >= _CERTAIN:
            centres.append(_centre(dark, left + int(x), upper + int(y), middle // 2 + inner // 2))
    if len(centres) < 3:
        raise NoForm
    if len(centres) < 4:
        raise Unreadable(f"{len(centres)} of the four black squares in the corners of a form are there")
    return np.array(centres) / shrink


def _centre(dark: np.ndarray, x: int, y: int, reach: int) -> tuple[float, float]:
    """Of the dark pixels around a place."""
    left, upper = max(0, x - reach), max(0, y - reach)
    rows, columns = np.nonzero(dark[upper:y + reach + 1, left:x + reach + 1])
    return left + columns.mean() + 0.5, upper + rows.mean() + 0.5


def _straightened(image: Image.Image, corners: np.ndarray, paper: str, box: Box) -> np.ndarray:
    """`box` of the form, `corners` being where the squares are in the scan."""
    width, height = form.PAPERS[paper]
    near = form.MARK_CENTRE
    squares = np.array([(near, near), (width - near, near), (width - near, height - near), (near, height - near)])
    equations, right = [], []
    for (x, y), (u, v) in zip((squares - box[:2]) * _SCALE, corners):   # u = (ax + by + c) / (gx + hy + 1), v likewise
        equations += [(x, y, 1, 0, 0, 0, -u * x, -u * y), (0, 0, 0, x, y, 1, -v * x, -v * y)]
        right += [u, v]
    size = (round((box[2] - box[0]) * _SCALE), round((box[3] - box[1]) * _SCALE))
    perspective = np.linalg.solve(np.array(equations), np.array(right))
    return np.asarray(image.transform(size, Image.PERSPECTIVE, perspective, Image.BILINEAR, fillcolor=255))


def _code(image: Image.Image, corners: np.ndarray, paper: str) -> Code | None:
    """Where it stands if the corners and the paper are right."""
    quiet = 4.0
    left = form.PAPERS[paper][0] - form.CODE_EDGE - form.CODE_SIDE
    box = (left - quiet, form.CODE_TOP - quiet, left + form.CODE_SIDE + quiet, form.CODE_TOP + form.CODE_SIDE + quiet)
    cut = Image.fromarray(_straightened(image, corners, paper, box))
    for blur in (1.2, 0.0, 2.0):
        for text in _qr_codes(cut.filter(ImageFilter.GaussianBlur(blur))):
            if code := parse_code(text):
                return code
    return None


def _qr_codes(image: Image.Image) -> list[str]:
    scanner = zbar.ImageScanner()
    scanner.set_config(zbar.Symbol.NONE, zbar.Config.ENABLE, 0)     # of every kind
    scanner.set_config(zbar.Symbol.QRCODE, zbar.Config.ENABLE, 1)
    picture = zbar.Image(*image.size, "Y800", image.tobytes())
    scanner.scan(picture)
    return [symbol.data for symbol in picture]


def read(image: Image.Image) -> Page:
    """Raises Unreadable and NoForm."""
    corners = _corners(image)
    for turn, paper in product(range(4), form.PAPERS):
        turned = np.roll(corners, -turn, axis=0)
        if code := _code(image, turned, paper):
            straight = _straightened(image, turned, code.paper, (0.0, 0.0, *form.PAPERS[code.paper]))
            middle, reach = round(form.MARK_CENTRE * _SCALE), round(form.MARK_SIDE / 4 * _SCALE)
            black = float(straight[middle - reach:middle + reach, middle - reach:middle + reach].mean())
            return Page(code, straight, black)
    raise Unreadable("the code of a form cannot be read")
