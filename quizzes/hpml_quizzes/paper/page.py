"""A scanned page -> whose form it is, and how dark each of its bubbles is.

The four black squares in the corners give the perspective that maps the scan onto the form; the QR code says which way up.
"""
from dataclasses import dataclass
from itertools import product
from pathlib import Path

import cv2
import numpy as np
from pyzbar import pyzbar

from . import form
from .form import Code, parse_code

_SCALE = 8.0                # pixels per millimetre of the straightened page
_LONG_SIDE = 2400           # pixels of a scan that is looked through for the squares
_SIDES = (0.6, 1.35)        # of a square, relative to what it has where the page fills the scan
_INSIDE = 1.0               # mm: radius of what is looked at in a bubble, within its outline


class Unreadable(Exception):
    """This page is no form, or cannot be read: a person must look at it."""


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


def load(path: Path) -> np.ndarray:
    """A grey picture from a file that OpenCV reads (PNG, JPEG, TIFF)."""
    image = cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_GRAYSCALE)
    if image is None:
        raise Unreadable("not a picture")
    return image


def _squares(image: np.ndarray) -> list[tuple[float, float]]:
    """Centres of what looks like a corner's square."""
    _, dark = cv2.threshold(cv2.medianBlur(image, 5), 0, 255, cv2.THRESH_BINARY_INV + cv2.THRESH_OTSU)
    expected = form.MARK_SIDE / max(form.PAPERS["a4"]) * max(image.shape)
    found = []
    for contour in cv2.findContours(dark, cv2.RETR_LIST, cv2.CHAIN_APPROX_NONE)[0]:
        centre, (width, height), _ = cv2.minAreaRect(contour)
        if min(width, height) < _SIDES[0] * expected or max(width, height) > _SIDES[1] * expected:
            continue
        if min(width, height) > 0.75 * max(width, height) and cv2.contourArea(contour) > 0.82 * width * height:
            found.append(centre)
    return found


def _corners(image: np.ndarray) -> np.ndarray:
    """Centres of the four squares, clockwise from the upper left of the scan."""
    height, width = image.shape
    shrink = min(1.0, _LONG_SIDE / max(image.shape))
    small = cv2.resize(image, None, fx=shrink, fy=shrink, interpolation=cv2.INTER_AREA)
    found = np.array(_squares(small), np.float32).reshape(-1, 2) / shrink
    if len(found) < 4:
        raise Unreadable(f"{len(found)} of the four black squares in the corners of a form are there")
    wanted = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    nearest = [int(np.argmin(np.linalg.norm(found - corner, axis=1))) for corner in wanted]
    if len(set(nearest)) < 4:
        raise Unreadable("the four black squares in the corners of a form are not all there")
    return found[nearest]


def _straightened(image: np.ndarray, corners: np.ndarray, paper: str) -> np.ndarray:
    width, height = form.PAPERS[paper]
    near = form.MARK_CENTRE
    there = [(near, near), (width - near, near), (width - near, height - near), (near, height - near)]
    # The middle of a pixel is half a pixel from its edge.
    matrix = cv2.getPerspectiveTransform(corners, np.array(there, np.float32) * np.float32(_SCALE) - np.float32(0.5))
    size = (round(width * _SCALE), round(height * _SCALE))
    return cv2.warpPerspective(image, matrix, size, flags=cv2.INTER_LINEAR, borderValue=255)


def _code(image: np.ndarray, paper: str) -> Code | None:
    """Of a straightened page that is the right way up. By zbar, since not every distribution's OpenCV decodes QR codes."""
    quiet = 4.0
    left = form.PAPERS[paper][0] - form.CODE_EDGE - form.CODE_SIDE
    y, x, side = (round(value * _SCALE) for value in (form.CODE_TOP - quiet, left - quiet, form.CODE_SIDE + 2 * quiet))
    cut = cv2.GaussianBlur(image[y:y + side, x:x + side], (0, 0), 1.2)
    for zoom in (1, 2):
        for symbol in pyzbar.decode(cv2.resize(cut, None, fx=zoom, fy=zoom), [pyzbar.ZBarSymbol.QRCODE]):
            if code := parse_code(symbol.data.decode(errors="replace")):
                return code
    return None


def read(image: np.ndarray) -> Page:
    """Raises Unreadable."""
    corners = _corners(image)
    for turn, paper in product(range(4), form.PAPERS):
        turned = np.roll(corners, -turn, axis=0)
        straight = _straightened(image, turned, paper)
        if code := _code(straight, paper):
            if code.paper != paper:
                straight = _straightened(image, turned, code.paper)
            middle, reach = round(form.MARK_CENTRE * _SCALE), round(form.MARK_SIDE / 4 * _SCALE)
            black = float(straight[middle - reach:middle + reach, middle - reach:middle + reach].mean())
            return Page(code, straight, black)
    raise Unreadable("the code of a form cannot be read")
