"""More pictures of something: at least one."""

from pms.surfaces.dashboard.requests.taken_photos import TakenPhotosForm


class PicturesForm(TakenPhotosForm):
    """Pictures and nothing else."""

    is_photo_needed = True
