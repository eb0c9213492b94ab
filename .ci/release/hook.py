"""What `pip install .` does on a release tag, as pre-commit does for `language: python`: a wheel without a module that
depends on the wheel of that release, which has the program. It needs nothing, so that nothing is fetched to build it."""

import os
import zipfile


def version():
    with open(".github/action/version") as f:
        return f.read().strip().lstrip("v")


def build_wheel(wheel_directory, config_settings=None, metadata_directory=None):
    name = "stategate_hook-0"
    files = {
        name + ".dist-info/METADATA": "Metadata-Version: 2.1\nName: stategate-hook\nVersion: 0\nRequires-Dist: stategate==%s\n" % version(),
        name + ".dist-info/WHEEL": "Wheel-Version: 1.0\nGenerator: stategate\nRoot-Is-Purelib: true\nTag: py3-none-any\n",
    }
    record = "".join("%s,,\n" % path for path in [*files, name + ".dist-info/RECORD"])
    wheel = name + "-py3-none-any.whl"
    with zipfile.ZipFile(os.path.join(wheel_directory, wheel), "w") as archive:
        for path, text in {**files, name + ".dist-info/RECORD": record}.items():
            archive.writestr(path, text)
    return wheel
